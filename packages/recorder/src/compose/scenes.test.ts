import { describe, expect, it } from 'vitest'
import { PresenceHistory } from '../session/presence-history.ts'
import { Spans } from '../tracks/spans.ts'
import { planScenes, type SceneTrack } from './scenes.ts'
import { FPS } from './video-format.ts'

const STARTED_AT_MS = 1_000_000
const CHUNK = 30 * FPS

const presence = new PresenceHistory()
for (const id of ['anna', 'ben'])
  presence.add(STARTED_AT_MS, id, {
    participant_id: id,
    user_id: id,
    display_name: id,
    role: 'participant',
    joined_at_ms: STARTED_AT_MS,
  })

/** A camera that is visible at these times, in milliseconds from the start. */
function camera(participantId: string, ...spans: [number, number][]): SceneTrack {
  const visible = new Spans()
  for (const [fromMs, toMs] of spans) {
    visible.begin(STARTED_AT_MS + fromMs)
    visible.end(STARTED_AT_MS + toMs)
  }
  return { file: participantId, participantId, source: 'camera', visible }
}

const flickering = camera(
  'ben',
  ...Array.from({ length: 75 }, (_, index): [number, number] => [index * 400, index * 400 + 200]),
)

const plan = (...tracks: SceneTrack[]) => planScenes(0, CHUNK, STARTED_AT_MS, presence, tracks)
const videosOf = (scenes: ReturnType<typeof plan>, frame: number) =>
  scenes.find(({ from, to }) => from <= frame && frame < to)?.tiles.map(({ video }) => video)

describe('the scenes of a chunk', () => {
  it('begin with the changes of the layout, aligned to a grid', () => {
    const scenes = plan(camera('anna', [410, 20_000]), camera('ben', [1_000, 30_000]))
    expect(scenes.map(({ from, to }) => [from, to])).toEqual([
      [0, 15],
      [15, 25],
      [25, 500],
      [500, CHUNK],
    ])
  })

  it('are few where a camera comes and goes quickly, and cover the chunk without a gap', () => {
    const scenes = plan(flickering)
    expect(scenes.length).toBeLessThanOrEqual(30)
    expect(scenes.map(({ from }) => from)).toEqual([0, ...scenes.slice(0, -1).map(({ to }) => to)])
    expect(scenes.at(-1)?.to).toBe(CHUNK)
    for (const { from } of scenes)
      expect(
        scenes.filter(each => each.from >= from && each.from < from + 5 * FPS).length,
      ).toBeLessThanOrEqual(5)
  })

  it('show who stays beside somebody who comes and goes quickly', () => {
    const scenes = plan(camera('anna', [12_000, 30_000]), flickering)
    for (let frame = 17 * FPS; frame < CHUNK; frame++) expect(videosOf(scenes, frame)).toContain('anna')
    for (let frame = 0; frame < 12 * FPS; frame++) expect(videosOf(scenes, frame)).not.toContain('anna')
  })

  it('have the screen of a moderator, else the one that is shared for longest, in the large tile', () => {
    const screen = (participantId: string, ...spans: [number, number][]): SceneTrack => ({
      ...camera(participantId, ...spans),
      source: 'screen',
    })
    const largeAt = (people: PresenceHistory, seconds: number[], ...tracks: SceneTrack[]) => {
      const scenes = planScenes(0, CHUNK, STARTED_AT_MS, people, tracks)
      return seconds.map(second => videosOf(scenes, second * FPS)?.[0] ?? null)
    }
    const lesson = new PresenceHistory()
    for (const [id, role] of [
      ['anna', 'moderator'],
      ['ben', 'participant'],
    ] as const)
      lesson.add(STARTED_AT_MS, id, {
        ...{ participant_id: id, user_id: id, display_name: id, role, joined_at_ms: STARTED_AT_MS },
      })
    const [annas, bens] = [screen('anna', [4_000, 12_000]), screen('ben', [2_000, 20_000])]
    expect(largeAt(lesson, [1, 3, 5, 11, 13, 21], bens, annas)).toEqual([
      null,
      'ben',
      'anna',
      'anna',
      'ben',
      null,
    ])
    expect(largeAt(presence, [3, 5, 21], bens, annas)).toEqual(['ben', 'ben', null])
    // The end of a former track may not have arrived yet.
    const again = { ...screen('ben', [10_000, 30_000]), file: 'again' }
    expect(largeAt(presence, [3, 11, 21], bens, again)).toEqual(['ben', 'again', 'again'])
  })

  it('have the person in the spotlight in the large tile, below the board and a moderator’s screen, and first beside these', () => {
    const lesson = new PresenceHistory()
    const enter = (atMs: number, id: string, is_spotlit = false) =>
      lesson.add(STARTED_AT_MS + atMs, id, {
        ...{ participant_id: id, user_id: id, display_name: id, joined_at_ms: STARTED_AT_MS },
        ...{ role: id === 'anna' ? 'moderator' : 'participant', ...(is_spotlit && { is_spotlit }) },
      })
    for (const id of ['anna', 'ben', 'carla', 'dora', 'emil', 'fritz']) enter(0, id)
    enter(2_000, 'fritz', true)
    enter(14_000, 'fritz')
    const [bens, annas, fritzs] = (
      [
        ['ben', 4_000, 8_000],
        ['anna', 6_000, 9_000],
        ['fritz', 7_000, 10_000],
      ] as const
    ).map(
      ([id, fromMs, toMs]): SceneTrack => ({
        ...{ ...camera(id, [fromMs, toMs]), source: 'screen', file: `screen of ${id}` },
      }),
    )
    const board = {
      isLarge: (atMs: number) => atMs >= STARTED_AT_MS + 11_000 && atMs < STARTED_AT_MS + 12_000,
      changeTimes: () => [11_000, 12_000].map(atMs => STARTED_AT_MS + atMs),
    }
    const tracks = [camera('anna', [0, 30_000]), bens, annas, fritzs] as SceneTrack[]
    const scenes = planScenes(0, CHUNK, STARTED_AT_MS, lesson, tracks, board)
    const firstAt = (second: number) =>
      scenes
        .find(({ from, to }) => from <= second * FPS && second * FPS < to)
        ?.tiles.slice(0, 2)
        .map(({ is, name }) => `${is} ${name}`)
    expect([1, 3, 5, 6.5, 8.5, 9.5, 10.5, 11.5, 12.5, 15].map(firstAt)).toEqual([
      ['face anna', 'face ben'],
      ['face fritz', 'face anna'],
      ['face fritz', 'face anna'],
      ['screen anna', 'face fritz'],
      ['screen anna', 'face fritz'],
      ['screen fritz', 'face fritz'],
      ['face fritz', 'face anna'],
      ['board ', 'face fritz'],
      ['face fritz', 'face anna'],
      ['face anna', 'face ben'],
    ])
    const sizes = scenes.map(({ tiles }) => new Set(tiles.map(({ name }) => name)).size)
    expect(Math.min(...sizes), 'nobody twice').toBeGreaterThanOrEqual(4)
  })

  it('end with the last layout', () => {
    const scenes = plan(
      camera('ben', ...(flickering.visible?.all.slice(0, 10).map(limits) ?? []), [4_100, 30_000]),
    )
    expect(videosOf(scenes, 10 * FPS)).toContain('ben')
    expect(scenes.at(-1)).toMatchObject({ to: CHUNK })
  })
})

const limits = ({ fromMs, toMs }: { fromMs: number; toMs: number }): [number, number] => [
  fromMs - STARTED_AT_MS,
  toMs - STARTED_AT_MS,
]
