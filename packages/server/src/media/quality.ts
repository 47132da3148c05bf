import { type Member, participantRef, type RoomState } from './room-state.ts'

/** Tells how well media gets from and to a participant, when that has changed. */
export function measure(room: RoomState, member: Member): void {
  const scores = [...sending(room, member), ...receiving(member)]
  if (scores.length === 0) return
  const quality = Math.min(...scores)
  if (quality === member.quality) return
  member.quality = quality
  room.events.quality(participantRef(room, member), quality)
}

/** Of simulcast layers the best counts: the sender itself turns some off. What is paused says nothing. */
function sending({ publications }: RoomState, { id }: Member): number[] {
  return [...publications.values()].flatMap(({ view, state }) => {
    if (view.participantId !== id || view.paused || state.is !== 'flowing') return []
    const scores = state.producer.score.map(({ score }) => score)
    return scores.length === 0 ? [] : [Math.max(...scores)]
  })
}

function receiving({ endpoint }: Member): number[] {
  return [...(endpoint?.subscriptions.values() ?? [])]
    .map(({ score }) => score)
    .filter(score => score !== null)
}
