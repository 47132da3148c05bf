import type { MediaCodec, PayloadTypes } from '@lectern/protocol/control'
import type { RouterRtpCodecCapability } from 'mediasoup/types'
import { CODECS } from './codecs.ts'

/**
 * Routers number their codecs, and consumers cannot renumber them. A client whose own description fixes its payload types,
 * as in WHEP, is served by a router that has these.
 */

/** Those of every router that nobody has asked for. */
export const DEFAULT_NUMBERING = ''

/** The same for the same payload types. */
export const numberingOf = (types: PayloadTypes | undefined): string =>
  types ? JSON.stringify(Object.entries(types).sort()) : DEFAULT_NUMBERING

/** In the order in which mediasoup gives them to the RTX codecs that it adds. */
const DYNAMIC = [...range(100, 127), ...range(96, 99)]

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

interface Numbered {
  name: MediaCodec
  type: number
}

/**
 * The codecs of a router with these payload types. mediasoup refuses a codec whose payload type an RTX codec has got
 * before; codecs that no order can save are left out.
 */
export function codecsFor(types: PayloadTypes): RouterRtpCodecCapability[] {
  let chosen: Numbered[] = []
  for (const name of Object.keys(CODECS) as MediaCodec[]) {
    const type = types[name]
    if (type === undefined) continue
    chosen = findOrder([...chosen, { name, type }]) ?? chosen
  }
  return chosen.map(({ name, type }) => ({ ...CODECS[name], preferredPayloadType: type }))
}

/** An order that mediasoup accepts; null when there is none. */
function findOrder(left: Numbered[], free = DYNAMIC, taken: number[] = []): Numbered[] | null {
  if (left.length === 0) return []
  for (const codec of left) {
    if (taken.includes(codec.type)) return null
    const others = free.filter(type => type !== codec.type)
    const rtx = CODECS[codec.name].kind === 'video' ? others.slice(0, 1) : []
    const rest = findOrder(
      left.filter(each => each !== codec),
      others.slice(rtx.length),
      [...taken, codec.type, ...rtx],
    )
    if (rest) return [codec, ...rest]
  }
  return null
}
