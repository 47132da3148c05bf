import type { BoardPictures } from '../board/board-pictures.ts'
import type { AttendanceEntry, PresenceHistory } from '../session/presence-history.ts'
import type { Spans } from '../tracks/spans.ts'
import {
  cameraTilesMax,
  LARGE_BOARD,
  type LargeTile,
  layOut,
  type ParticipantTile,
  type Tile,
} from './layout.ts'
import { FPS, FRAME_MS } from './video-format.ts'

/** A range of frames with a constant layout, counted from the start of the recording. */
export interface Scene {
  from: number
  to: number
  tiles: Tile[]
}

/** The layout-relevant part of a track. */
export interface SceneTrack {
  file: string
  participantId: string
  source: string
  visible?: Spans
  voicedAtMs?: number | null
}

/** Whether the board has the large tile, and when that may change. */
export type LargeBoard = Pick<BoardPictures, 'isLarge' | 'changeTimes'>

/** Changes are aligned to this many frames, so that a flickering camera causes few scenes. */
const GRID = 5

/**
 * Each scene costs the start of a process, and what it shows is decoded from the key frame before it. So where people or
 * cameras come and go quickly, changes are delayed until at most this many scenes begin within this many frames.
 */
const SCENES_MAX = 5
const SCENES_WITHIN = 5 * FPS

/** Plans the layout of a half-open range of frames. */
export function planScenes(
  from: number,
  to: number,
  startedAtMs: number,
  presence: PresenceHistory,
  tracks: SceneTrack[],
  board: LargeBoard | null = null,
): Scene[] {
  const scenes: Scene[] = []
  const msOf = (frame: number) => startedAtMs + frame * FRAME_MS
  const cuts = [
    ...presence.changeTimes(),
    ...tracks.flatMap(track => track.visible?.all.flatMap(limits) ?? []),
    ...(board?.changeTimes(msOf(from), msOf(to)) ?? []),
  ]
    .map(atMs => Math.ceil((atMs - startedAtMs) / FRAME_MS / GRID) * GRID)
    .filter(frame => frame > from && frame < to)
  const starts = [...new Set([from, ...cuts])].sort((a, b) => a - b)
  for (const start of starts) {
    const last = scenes.at(-1)
    const begin = Math.max(start, earliestAfter(scenes))
    if (begin >= to) break
    const tiles = tilesAt(msOf(begin), presence, tracks, board)
    if (last && JSON.stringify(last.tiles) === JSON.stringify(tiles)) continue
    if (last) last.to = begin
    scenes.push({ from: begin, to, tiles })
  }
  return scenes
}

/** The earliest time of the next scene. Changes that are delayed to one frame are one change. */
const earliestAfter = (scenes: Scene[]): number =>
  Math.max(scenes.at(-1)?.from ?? 0, (scenes.at(-SCENES_MAX)?.from ?? -SCENES_WITHIN) + SCENES_WITHIN)

const limits = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  toMs === Number.POSITIVE_INFINITY ? [fromMs] : [fromMs, toMs]

type Face = ParticipantTile & { person: AttendanceEntry; voicedAtMs: number }

function tilesAt(
  atMs: number,
  presence: PresenceHistory,
  tracks: SceneTrack[],
  board: LargeBoard | null,
): Tile[] {
  const shown = tracks.filter(track => track.visible?.includes(atMs))
  // The latest track wins: the end of an earlier one may not have arrived yet.
  const videoOf = (participantId: string, source: string) =>
    shown.findLast(track => track.participantId === participantId && track.source === source)?.file ?? null
  const faces = presence.at(atMs).map(
    (person): Face => ({
      person,
      name: person.display_name,
      colour: colourOf(person.user_id),
      video: videoOf(person.participant_id, 'camera'),
      voicedAtMs: lastVoice(person.participant_id, tracks),
    }),
  )
  const { screen, face } = chooseLarge(shown, faces)
  const sinceMs = screen?.visible?.all.findLast(span => span.fromMs <= atMs)?.fromMs ?? null
  if (board?.isLarge(atMs, sinceMs)) return layOut(choose(faces, cameraTilesMax(true)), LARGE_BOARD)
  const large = screen ? screenTile(screen, faces) : face ? { is: 'face' as const, ...tileOf(face) } : null
  const others = faces.filter(each => each !== face)
  return layOut(choose(others, cameraTilesMax(large !== null)), large)
}

/** Chooses the tiles to show, in stable order: who is in the spotlight, then cameras, then recent speakers. */
function choose(faces: Face[], most: number): ParticipantTile[] {
  const wanted = [...faces].sort(
    (a, b) =>
      Number(isSpotlit(b)) - Number(isSpotlit(a)) ||
      Number(b.video !== null) - Number(a.video !== null) ||
      b.voicedAtMs - a.voicedAtMs,
  )
  return faces
    .filter(face => wanted.indexOf(face) < most)
    .sort((a, b) => Number(isSpotlit(b)) - Number(isSpotlit(a)))
    .map(tileOf)
}

const tileOf = ({ name, colour, video }: Face): ParticipantTile => ({ name, colour, video })

const screenTile = ({ participantId, file }: SceneTrack, faces: Face[]): LargeTile => {
  const owner = faces.find(({ person }) => person.participant_id === participantId)
  return { is: 'screen', name: owner?.name ?? '', colour: 0, video: file }
}

/**
 * As in the room (docs/room.md): a moderator's screen, else that of the person in the spotlight, else that person beside others,
 * else the screen that has been shared for longest. Of one person the latest track counts, as of a camera.
 */
function chooseLarge(shown: SceneTrack[], faces: Face[]): { screen?: SceneTrack; face?: Face } {
  const screens = shown.filter(each => each.source === 'screen')
  const screenOf = (is: (face: Face) => boolean) =>
    screens.find(each => faces.some(face => face.person.participant_id === each.participantId && is(face)))
  const first = screenOf(isModerator) ?? screenOf(isSpotlit)
  const face = first || faces.length < 2 ? undefined : faces.find(isSpotlit)
  if (face) return { face }
  const owner = (first ?? screens[0])?.participantId
  const screen = screens.findLast(each => each.participantId === owner)
  return screen ? { screen } : {}
}

const isModerator = ({ person }: Face): boolean => person.role === 'moderator'
const isSpotlit = ({ person }: Face): boolean => person.is_spotlit === true

const lastVoice = (participantId: string, tracks: SceneTrack[]) =>
  Math.max(
    0,
    ...tracks.filter(each => each.participantId === participantId).map(each => each.voicedAtMs ?? 0),
  )

const colourOf = (id: string) =>
  [...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7)
