import { ControlClient, changeBoard, platformEnvironment } from '@lectern/control-client'
import { FIRST_PAGE_ID } from '@lectern/protocol/control'
import WebSocket from 'ws'

const POINTS = 40
const IN_A_ROW = 50
/** Of strokes, from the top of a page to its end. */
const ROWS = 40

/** Puts strokes of 40 points on the first page, as a participant, who leaves. */
export const seedStrokes = (url: string, tag: string, token: string, strokes: number): Promise<void> =>
  asParticipant(url, tag, token, (client, sessionId) => putStrokes(client, sessionId, 0, strokes))

/** Draws that many further strokes, and removes as many, the oldest first: the page keeps its number. */
export const replaceStrokes = (
  url: string,
  tag: string,
  token: string,
  { first, strokes, kept }: { first: number; strokes: number; kept: number },
): Promise<void> =>
  asParticipant(url, tag, token, async (client, sessionId) => {
    for (let at = first; at < first + strokes; at += IN_A_ROW) {
      const count = Math.min(IN_A_ROW, first + strokes - at)
      await putStrokes(client, sessionId, at, count)
      const elements = Array.from({ length: count }, (_, column) => ({
        element_id: idOf(at - kept + column),
        version: 2,
      }))
      await changeBoard(client, sessionId, 'board.delete', { page_id: FIRST_PAGE_ID, elements })
    }
  })

async function asParticipant(
  url: string,
  tag: string,
  token: string,
  act: (client: ControlClient, sessionId: string) => Promise<void>,
): Promise<void> {
  const client = new ControlClient(platformEnvironment(WebSocket), {
    url: `${url.replace('http', 'ws')}/api/v1.0/control`,
    accessToken: async () => token,
    conference: tag,
    client: { name: 'bench', version: '1', platform: 'node' },
  })
  try {
    const joined = new Promise<string>((resolve, reject) => {
      client.onStart(() => {
        const join = client.command('conference.join', { kind: 'conference', id: tag }, {})
        join.then(result => resolve(result.conference_session_id), reject)
      })
    })
    client.open()
    await act(client, await joined)
  } finally {
    client.close()
  }
}

async function putStrokes(
  client: ControlClient,
  sessionId: string,
  first: number,
  strokes: number,
): Promise<void> {
  for (let at = first; at < first + strokes; at += IN_A_ROW)
    await Promise.all(
      Array.from({ length: Math.min(IN_A_ROW, first + strokes - at) }, (_, column) =>
        changeBoard(client, sessionId, 'board.put', {
          page_id: FIRST_PAGE_ID,
          element_id: idOf(at + column),
          version: 1,
          kind: 'stroke',
          data: {
            points: pointsFrom(column * 300 + 200, ((at / IN_A_ROW) % ROWS) * 200 + 400),
            color: '#1c2a2b',
            width: 3,
            duration_ms: 500,
          },
        }),
      ),
    )
}

const idOf = (at: number) => `stroke-${String(at).padStart(6, '0')}`

const pointsFrom = (x: number, y: number) => [
  ...[x, y, 0],
  ...Array.from({ length: POINTS - 1 }, (_, at) => [6, at % 8 < 4 ? 20 : -20, 0]).flat(),
]
