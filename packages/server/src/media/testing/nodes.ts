import type { NodeMessages, RemoteTrack } from '../pipes/ports.ts'
import type { Publication } from '../ports.ts'
import { type HarnessSettings, SfuTestHarness } from './harness.ts'

/** A value as it arrives over the network. */
const viaJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** Media nodes with addresses of their own, whose messages pass through JSON and may be lost. */
export class TestNodes {
  readonly harnesses = new Map<string, SfuTestHarness>()
  /** Producers for other nodes, as each node has reported them. */
  readonly tracks: (RemoteTrack & { publicationId: string })[] = []
  /** Changes or suppresses what passes: a request that yields null is not answered. */
  intercept: (message: unknown) => unknown = message => message
  #turn: Promise<unknown> = Promise.resolve()

  async open(nodeId: string, ip: string, settings: HarnessSettings = {}): Promise<SfuTestHarness> {
    const harness = await SfuTestHarness.open({
      listenIp: ip,
      ...settings,
      nodes: {
        nodeId,
        messages: this.#messagesOf(nodeId),
        onTrack: (_, publicationId, track) => void this.tracks.push(viaJson({ ...track, publicationId })),
      },
    })
    this.harnesses.set(nodeId, harness)
    return harness
  }

  sfu(nodeId: string) {
    const harness = this.harnesses.get(nodeId)
    if (!harness?.sfu.pipes) throw new Error('no such node')
    return { sfu: harness.sfu, pipes: harness.sfu.pipes }
  }

  /** Announces the newest producer of a publication to another node, like the owner of a session. */
  add(to: string, publication: Publication): void {
    const track = this.tracks.findLast(({ publicationId }) => publicationId === publication.publicationId)
    if (!track) throw new Error('no such publication')
    this.sfu(to).sfu.addRemotePublication(1, { publication, track })
  }

  async stop(): Promise<void> {
    await Promise.all([...this.harnesses.values()].map(({ sfu }) => sfu.stop()))
    this.harnesses.clear()
  }

  #messagesOf(from: string): NodeMessages {
    return {
      request: async (to, message) => {
        const passed = await this.#pass(message)
        if (passed === null) throw new Error('no answer in time')
        return this.#pass(await this.sfu(to).pipes.handleRequest(from, passed))
      },
      notify: async (to, message) => {
        const passed = await this.#pass(message)
        if (passed === null) throw new Error('no answer in time')
        this.harnesses.get(to)?.sfu.pipes?.handleNotice(from, passed)
      },
    }
  }

  /** In the order of sending. */
  #pass(message: unknown): Promise<unknown> {
    const turn = this.#turn.then(() => new Promise(setImmediate)).then(() => this.intercept(viaJson(message)))
    this.#turn = turn
    return turn
  }
}
