import { ControlClient, changeBoard, platformEnvironment } from '@lectern/control-client'
import { FIRST_PAGE_ID } from '@lectern/protocol/control'
import WebSocket from 'ws'

const POINTS = 40
const IN_A_ROW = 50

/** Puts strokes of 40 points on the first page, as a participant, who leaves. */
export async function seedStrokes(url: string, tag: string, token: string, strokes: number): Promise<void> {
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
    const sessionId = await joined
    for (let at = 0; at < strokes; at += IN_A_ROW)
      await Promise.all(
        Array.from({ length: Math.min(IN_A_ROW, strokes - at) }, (_, column) =>
          changeBoard(client, sessionId, 'board.put', {
            page_id: FIRST_PAGE_ID,
            element_id: `stroke-${at + column}`,
            version: 1,
            kind: 'stroke',
            data: {
              points: pointsFrom(column * 300 + 200, (at / IN_A_ROW) * 200 + 400),
              color: '#1c2a2b',
              width: 3,
              duration_ms: 500,
            },
          }),
        ),
      )
  } finally {
    client.close()
  }
}

const pointsFrom = (x: number, y: number) => [
  ...[x, y, 0],
  ...Array.from({ length: POINTS - 1 }, (_, at) => [6, at % 8 < 4 ? 20 : -20, 0]).flat(),
]
