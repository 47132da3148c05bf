import { Refusal } from '@lectern/protocol'
import type { SeatMedia } from '../ports.ts'

/** Remembers what it was asked, and refuses what a test wants refused. */
export class FakeSeatMedia implements SeatMedia {
  readonly asked: unknown[][] = []
  refusal: Error | null = null

  open = (...call: unknown[]) =>
    this.#note('open', call, {
      endpoint_id: 'e',
      rtc_node_id: 'n',
      route_generation: '1',
      router_rtp_capabilities: {},
      send: transport('send'),
      receive: transport('receive'),
    })
  receive = (...call: unknown[]) => this.#note('receive', call, undefined)
  restartIce = (...call: unknown[]) =>
    this.#note('restartIce', call, { send: { ice_parameters: {} }, receive: { ice_parameters: {} } })
  tap = (...call: unknown[]) =>
    this.#note('tap', call, { endpoint_id: 't', rtc_node_id: 'n', route_generation: '1' })
  untap = (...call: unknown[]) => void this.#note('untap', call, undefined)
  requestKeyFrame = (...call: unknown[]) => this.#note('requestKeyFrame', call, undefined)
  publish = (...call: Parameters<SeatMedia['publish']>) =>
    this.#note('publish', call, { format: 'ortc' as const, publication_id: call[1].publication_id })
  answer = (...call: unknown[]) => this.#note('answer', call, undefined)
  pause = (...call: unknown[]) => this.#note('pause', call, undefined)
  resume = (...call: unknown[]) => this.#note('resume', call, undefined)
  setLayers = (...call: unknown[]) => this.#note('setLayers', call, undefined)
  close = (...call: unknown[]) => void this.#note('close', call, undefined)

  refuse() {
    this.refusal = new Refusal('media_too_many')
  }

  async #note<T>(name: string, call: unknown[], answer: T): Promise<T> {
    this.asked.push([name, ...call])
    if (this.refusal) throw this.refusal
    return answer
  }
}

const transport = (id: string) => ({ id, ice_parameters: {}, ice_candidates: [], dtls_parameters: {} })
