import type { FakeSocket } from '@lectern/control-client/testing'
import type { ControlSync, Envelopes } from '@lectern/protocol/control'

/**
 * Reads every word between the server and its clients, before the network spoils any of it, and notes what
 * breaks a rule: a gap or a repetition in a stream (Q2), one event with two contents, a generation that does
 * not grow (Y3), events before the state that they change (Y2).
 */
export class ProtocolMonitor {
  readonly violations: string[] = []
  readonly #syncs = new Map<FakeSocket, Map<string, ControlSync>>()
  /** The position of each wire in each stream. */
  readonly #positions = new Map<FakeSocket, Map<string, { epoch: string; seq: number }>>()
  readonly #generations = new Map<string, bigint>()
  readonly #contents = new Map<string, string>()

  onClientFrame(wire: FakeSocket, text: string): void {
    if (!text.startsWith('{"control_sync"')) return
    const sync = (JSON.parse(text) as { control_sync: ControlSync }).control_sync
    const syncs = this.#syncs.get(wire) ?? new Map<string, ControlSync>()
    this.#syncs.set(wire, syncs.set(sync.request_id, sync))
  }

  onServerFrame(wire: FakeSocket, text: string): void {
    const frame = JSON.parse(text) as Partial<Envelopes>
    if (frame.control_sync_result) this.#onSyncResult(wire, frame.control_sync_result)
    if (frame.control_snapshot) this.#onSnapshot(wire, frame.control_snapshot)
    if (frame.control_event) this.#onEvent(wire, frame.control_event)
  }

  /** A restart forgets the connections; ids of new ones are new. */
  get size(): number {
    return this.#contents.size
  }

  #onSyncResult(wire: FakeSocket, result: Envelopes['control_sync_result']): void {
    if (result.status !== 'ready') return
    const sync = this.#syncs.get(wire)?.get(result.request_id)
    if (!sync) return void this.violations.push(`answer to nothing: ${result.request_id}`)
    const { logical_connection_id: id, binding_generation } = result.binding
    const [before, now] = [this.#generations.get(id) ?? 0n, BigInt(binding_generation)]
    const grows = sync.mode === 'resync' ? now === before : now === before + 1n
    if (!grows) this.violations.push(`${sync.mode} of ${id}: generation ${before} -> ${now}`)
    this.#generations.set(id, now)
    const places = new Map<string, { epoch: string; seq: number }>()
    for (const { stream_id } of result.streams) {
      const cursor = sync.cursors.find(each => each.stream_id === stream_id)
      if (cursor) places.set(stream_id, { epoch: cursor.stream_epoch, seq: Number(cursor.seq) })
    }
    this.#positions.set(wire, places)
  }

  #onSnapshot(wire: FakeSocket, snapshot: Envelopes['control_snapshot']): void {
    const { stream_id, stream_epoch: epoch, snapshot_seq, part_index, part_count } = snapshot
    if (part_index === part_count - 1)
      this.#positions.get(wire)?.set(stream_id, { epoch, seq: Number(snapshot_seq) })
  }

  #onEvent(wire: FakeSocket, { binding, ...event }: Envelopes['control_event']): void {
    const { stream_id, stream_epoch: epoch, seq, event_id } = event
    const place = this.#positions.get(wire)?.get(stream_id)
    if (place?.epoch !== epoch || place.seq + 1 !== Number(seq))
      this.violations.push(
        `${event_id} after ${place?.epoch}:${place?.seq} to ${binding.logical_connection_id}`,
      )
    this.#positions.get(wire)?.set(stream_id, { epoch, seq: Number(seq) })
    const content = JSON.stringify(event)
    if ((this.#contents.get(event_id) ?? content) !== content)
      this.violations.push(`${event_id} has two contents`)
    this.#contents.set(event_id, content)
  }
}
