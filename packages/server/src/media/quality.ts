import { Endpoint } from './endpoint.ts'
import { type Member, participantRef, type RoomState } from './room-state.ts'

const BEST = 10

/** Reports the quality of a participant's media in both directions when it has changed. */
export function updateQuality(room: RoomState, member: Member): void {
  const quality = qualityOf(room, member)
  if (quality === null) return
  if (quality === member.quality) return
  member.quality = quality
  room.events.quality(participantRef(room, member), quality)
}

/** Null without media, unless a client that nobody sends media to is connected. */
function qualityOf(room: RoomState, member: Member): number | null {
  const isReachable = member.endpoint instanceof Endpoint ? member.endpoint.isReachable : null
  if (isReachable === false) return 0
  const scores = [...senderScores(room, member), ...receiverScores(member)]
  return scores.length > 0 ? Math.min(...scores) : isReachable && BEST
}

/** The best simulcast layer counts, because senders disable layers. Paused publications are ignored. */
function senderScores({ publications }: RoomState, { id }: Member): number[] {
  return [...publications.values()].flatMap(({ publication, state }) => {
    if (publication.participantId !== id || publication.paused || state.is !== 'active') return []
    const scores = state.source.producer.score.map(({ score }) => score)
    return scores.length === 0 ? [] : [Math.max(...scores)]
  })
}

function receiverScores({ endpoint }: Member): number[] {
  return [...(endpoint?.subscriptions.values() ?? [])]
    .map(({ score }) => score)
    .filter(score => score !== null)
}
