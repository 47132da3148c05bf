import type { Consumer } from 'mediasoup/types'
import type { ReceptionLevel } from './ports.ts'

/** `partial` is for several videos. */
export type LevelOfOne = Exclude<ReceptionLevel, 'partial'>

type Observed = Pick<
  Consumer,
  'type' | 'closed' | 'paused' | 'producerPaused' | 'currentLayers' | 'preferredLayers' | 'score'
>

/** The reception of a video over the viewer's connection; null while its sender sends nothing. */
export function receptionOf({
  type,
  closed,
  paused,
  producerPaused,
  currentLayers,
  preferredLayers,
  score,
}: Observed): LevelOfOne | null {
  // mediasoup adapts no others.
  if (type !== 'simulcast' && type !== 'svc') return null
  const sent = score.producerScores
  if (closed || paused || producerPaused || !sent.some(each => each > 0)) return null
  if (!currentLayers) return 'none'
  // Spatial layers within one encoding have one score: the sender may have dropped the higher ones.
  const wanted = preferredLayers?.spatialLayer ?? sent.length - 1
  const higher = sent.slice(currentLayers.spatialLayer + 1, wanted + 1)
  return higher.some(each => each > 0) ? 'reduced' : 'full'
}

/** The reception of all videos of one source. */
export function combine(levels: LevelOfOne[]): ReceptionLevel | null {
  if (levels.length === 0) return null
  const withheld = levels.filter(level => level === 'none').length
  if (withheld > 0) return withheld === levels.length ? 'none' : 'partial'
  return levels.includes('reduced') ? 'reduced' : 'full'
}
