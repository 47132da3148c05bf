import type { NetworkState } from '../../call/media/network-quality.ts'

export type NetworkNoteKey =
  | 'receivesReduced'
  | 'receivesSome'
  | 'receivesScreen'
  | 'receivesAudio'
  | 'sendsReduced'
  | 'sendsScreen'
  | 'losesPackets'
  | 'interrupted'

const received = {
  reduced: 'receivesReduced',
  some: 'receivesSome',
  screen: 'receivesScreen',
  audio: 'receivesAudio',
} as const

/** One note for each direction. Losses are mentioned only when they are all there is: slow connections lose packets, too. */
export function networkNotes(state: NetworkState, isCameraHeld: boolean): NetworkNoteKey[] {
  const notes: NetworkNoteKey[] = state.wasInterrupted ? ['interrupted'] : []
  if (state.received !== 'all') notes.push(received[state.received])
  if (state.sendsTooSlowly) notes.push(isCameraHeld ? 'sendsScreen' : 'sendsReduced')
  if (notes.length === 0 && state.losesPackets) notes.push('losesPackets')
  return notes
}
