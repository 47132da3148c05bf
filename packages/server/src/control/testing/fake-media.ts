import { Refusal } from '@lectern/protocol'
import type { ParticipantMedia } from '../../media/ports.ts'

/** Records its calls, and rejects them when a test sets a refusal. */
export class FakeParticipantMedia implements ParticipantMedia {
  readonly calls: unknown[][] = []
  refusal: Error | null = null
  routerRtpCapabilities: Record<string, unknown> = {}

  openEndpoint = (...call: unknown[]) =>
    this.#note('openEndpoint', call, {
      endpointId: 'e',
      workerId: 'n',
      routeGeneration: '1',
      routerRtpCapabilities: this.routerRtpCapabilities,
      send: transport('send'),
      receive: transport('receive'),
    })
  setRtpCapabilities = (...call: unknown[]) => this.#note('setRtpCapabilities', call, undefined)
  restartIce = (...call: unknown[]) =>
    this.#note('restartIce', call, { send: { iceParameters: {} }, receive: { iceParameters: {} } })
  openEgress = (...call: unknown[]) =>
    this.#note('openEgress', call, { endpointId: 't', workerId: 'n', routeGeneration: '1' })
  closeEgress = (...call: unknown[]) => void this.#note('closeEgress', call, undefined)
  requestKeyFrame = (...call: unknown[]) => this.#note('requestKeyFrame', call, undefined)
  publish = (...call: unknown[]) => this.#note('publish', call, undefined)
  answer = (...call: unknown[]) => this.#note('answer', call, undefined)
  pause = (...call: unknown[]) => this.#note('pause', call, undefined)
  resume = (...call: unknown[]) => this.#note('resume', call, undefined)
  setLayers = (...call: unknown[]) => this.#note('setLayers', call, undefined)
  close = (...call: unknown[]) => this.#note('close', call, undefined)

  refuse() {
    this.refusal = new Refusal('media_too_many')
  }

  async #note<T>(name: string, call: unknown[], answer: T): Promise<T> {
    this.calls.push([name, ...call])
    if (this.refusal) throw this.refusal
    return answer
  }
}

const transport = (id: string) => ({ id, iceParameters: {}, iceCandidates: [], dtlsParameters: {} })
