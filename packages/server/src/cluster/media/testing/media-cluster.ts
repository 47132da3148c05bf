import type { SfuParts } from '../../../media/sfu.ts'
import type { MediaUnderTest } from '../../../media/testing/harness.ts'
import { type openNetworks, waitFor } from '../../testing.ts'
import { type NodeOptions, startNode, startOwner, type TestNode, type TestOwner } from '../testing.ts'

/** One participant fills a node with it: two are expected to receive four tracks. */
const CONSUMERS_PER_WORKER = 4

/** Media nodes with addresses of their own, and the owner of a session that needs several of them. */
export class TestMediaCluster {
  readonly nodes: TestNode[] = []
  declare owner: TestOwner
  readonly #networks: ReturnType<typeof openNetworks>
  readonly #parts: SfuParts
  readonly #owners: TestOwner[] = []
  #ips = 1

  private constructor(networks: ReturnType<typeof openNetworks>, parts: SfuParts) {
    this.#networks = networks
    this.#parts = parts
  }

  static async start(
    networks: ReturnType<typeof openNetworks>,
    parts: SfuParts,
    names: string[],
  ): Promise<TestMediaCluster> {
    const cluster = new TestMediaCluster(networks, parts)
    await Promise.all(names.map(name => cluster.#start(name)))
    cluster.owner = await cluster.addOwner('owner')
    return cluster
  }

  get underTest(): MediaUnderTest {
    const [first] = this.nodes
    if (!first) throw new Error('no node')
    return { media: this.owner.media, sfu: first.sfu, settled: async () => {}, stop: () => this.stop() }
  }

  /** Resolves when the owner knows the node. */
  async add(name: string, options: NodeOptions = {}): Promise<TestNode> {
    const node = await this.#start(name, options)
    await waitFor(() => this.owner.members.get(node.self.id)?.load.workers, `the node ${name}`)
    return node
  }

  async addOwner(name: string): Promise<TestOwner> {
    const owner = await startOwner(this.#networks, this.#parts, { name, nodes: this.nodes.length })
    this.#owners.push(owner)
    return owner
  }

  nodeOfWorker(workerId: string): TestNode {
    const node = this.nodes.find(({ sfu }) => sfu.workers.alive.some(({ id }) => id === workerId))
    if (!node) throw new Error('no such worker')
    return node
  }

  /** Ends the node as kill -9 does: without a word. */
  async kill(node: TestNode): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1)
    await node.network.stop()
    await node.stop()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#owners.map(owner => owner.stop()))
    await Promise.all(this.nodes.map(node => node.stop()))
  }

  async #start(name: string, options: NodeOptions = {}): Promise<TestNode> {
    const parts = { ...this.#parts, consumersPerWorker: CONSUMERS_PER_WORKER }
    const node = await startNode(
      this.#networks,
      parts,
      { ...options, name },
      { listenIp: `127.0.0.${++this.#ips}` },
    )
    this.nodes.push(node)
    return node
  }
}
