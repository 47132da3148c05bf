import { type Member, participantRef, type RoomState } from './room-state.ts'

/** Reports the quality of a participant's media in both directions when it has changed. */
export function updateQuality(room: RoomState, member: Member): void {
  const scores = [...senderScores(room, member), ...receiverScores(member)]
  if (scores.length === 0) return
  const quality = Math.min(...scores)
  if (quality === member.quality) return
  member.quality = quality
  room.events.quality(participantRef(room, member), quality)
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
