import {
  applyPageEvent,
  type Envelopes,
  FIRST_PAGE_ID,
  type JsonObject,
  type PageElements,
  type PageState,
  pageElements,
  pageStream,
  versionsOfPage,
} from '@lectern/protocol/control'
import type { RawClient } from './raw-client.ts'

export const PAGE = FIRST_PAGE_ID

export const strokeBody = (element_id: string, version = 1, points = [10, 20, 128, 1, 1, 0]) => ({
  page_id: PAGE,
  element_id,
  version,
  kind: 'stroke',
  data: { points, color: '#000000', width: 3, duration_ms: 100 },
})

/** A client that watches one page and knows its content from the frames alone. */
export class Drawer {
  readonly client: RawClient
  readonly pageId: string
  elements: PageElements = new Map()
  seq = 0
  epoch = ''

  constructor(client: RawClient, pageId = PAGE) {
    this.client = client
    this.pageId = pageId
  }

  get streamId(): string {
    return pageStream(this.client.sessionId, this.pageId)
  }

  get cursor() {
    return { stream_id: this.streamId, stream_epoch: this.epoch, seq: String(this.seq) }
  }

  watch = () => this.command('board.watch', {})

  command(name: string, body: JsonObject, more = {}) {
    return this.client.command(name, { page_id: this.pageId, ...body }, this.client.session, more)
  }

  put = (elementId: string, version = 1) =>
    this.command('board.put', { ...strokeBody(elementId, version), page_id: this.pageId })

  /** Returns what has arrived, applied in its order. */
  read(): { elements: string[]; versions: string } {
    for (const { stream_id, snapshot_seq, stream_epoch, state } of this.client.snapshots()) {
      if (stream_id !== this.streamId) continue
      if (this.epoch !== stream_epoch || this.seq !== Number(snapshot_seq)) this.elements = new Map()
      for (const [id, element] of pageElements(state as unknown as PageState)) this.elements.set(id, element)
      this.seq = Number(snapshot_seq)
      this.epoch = stream_epoch
    }
    const events: Envelopes['control_event'][] = this.client.events()
    for (const { stream_id, seq, name, body } of events) {
      if (stream_id !== this.streamId || Number(seq) <= this.seq) continue
      if (Number(seq) !== this.seq + 1) throw new Error(`a gap before ${seq}`)
      this.seq = Number(seq)
      applyPageEvent(this.elements, name, body)
    }
    return { elements: [...this.elements.keys()].sort(), versions: versionsOfPage(this.elements) }
  }
}
