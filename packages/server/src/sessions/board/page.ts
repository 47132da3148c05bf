import {
  COORDINATE_MAX,
  type CommandBody,
  ELEMENT_BYTES_MAX,
  type ElementContent,
  moveContent,
  PAGE_BYTES_MAX,
  PAGE_ELEMENTS_MAX,
  type PageEvent,
  type PageState,
  POINT_NUMBERS,
  VERSION_STEP_MAX,
  zAbove,
} from '@lectern/protocol/control'
import { assertOrRefuse } from '../refusals.ts'
import {
  type Deleted,
  deletedEvents,
  type Entry,
  elementsEvents,
  type Live,
  presentElement,
  toDeleted,
  toLive,
  type Versions,
  versionOf,
} from './entries.ts'
import type { DeletedElement, ElementChange, StoredElement } from './ports.ts'

/** Deleted elements of a page that can be restored, and their characters; the oldest deletions are forgotten first. */
const DELETED_MAX = 5_000
const DELETED_BYTES_MAX = 4_194_304

/** The editor of a page, and the purpose. `change` identifies the change among all others of the page. */
export interface PageEditor {
  userId: number
  /** Moderators, and owners of their copies. */
  mayChangeAll: boolean
  change: string
}

/** The effect of a command on a page: what is stored, and published after that. */
export interface PageEdit {
  changes: ElementChange[]
  events: PageEvent[]
  /** The entries after it. */
  entries: Entry[]
  /** Characters of its only event; 0: it is not joined with others. */
  size: number
}

const NOTHING: PageEdit = { changes: [], events: [], entries: [], size: 0 }

/**
 * The elements of a page, whose higher versions win. A command is checked against all commands before it, also those that
 * are still being stored (`accepted`); who watches sees what is stored (`state`).
 */
export class PageContent {
  readonly #pageId: string
  /** Elements as accepted. Deleted ones in the order of their deletion. */
  readonly #live = new Map<string, Live>()
  readonly #deleted = new Map<string, Deleted>()
  /** Elements as stored and published. */
  readonly #published = new Map<string, Live>()
  /** How many changes of each element were accepted and are not stored yet. */
  readonly #storing = new Map<string, number>()
  #bytes = 0
  #deletedBytes = 0
  #maxZ = 0

  constructor(
    pageId: string,
    { elements, deleted }: { elements: StoredElement[]; deleted: DeletedElement[] },
  ) {
    this.#pageId = pageId
    for (const each of elements) {
      const live = toLive(each)
      this.#set(live)
      this.#published.set(each.elementId, live)
    }
    for (const each of deleted) this.#set({ ...each, is: 'deleted' })
  }

  /** Characters in memory, roughly. */
  get bytes(): number {
    return this.#bytes + 200 * this.#deleted.size
  }

  state = (): PageState => ({
    page_id: this.#pageId,
    elements: [...this.#published.values()].map(presentElement),
  })

  /** Characters of those of the elements that are on the page. */
  sizeOf(elements: Versions): number {
    return elements.reduce((sum, { element_id }) => sum + (this.#live.get(element_id)?.size ?? 0), 0)
  }

  /** Whether a change of one of the elements was accepted and is not stored yet. */
  isStoring(elements: Versions): boolean {
    return elements.some(({ element_id }) => this.#storing.has(element_id))
  }

  put(editor: PageEditor, body: CommandBody<'board.put'>): PageEdit {
    const { element_id: elementId, version } = body
    const content = { kind: body.kind, data: body.data } as ElementContent
    assertValid(content)
    const known = this.#find(elementId)
    if (known) assertMayChange(known, editor)
    if (isSuperseded(known, version, editor)) return NOTHING
    assertOrRefuse(isNext(known, version), 'element_changed')
    const element = toLive({
      elementId,
      version,
      authorId: known ? known.authorId : editor.userId,
      z: body.z ?? (known?.is === 'live' ? known.z : zAbove(this.#maxZ)),
      content,
      change: editor.change,
    })
    return this.#accept([element])
  }

  /** Elements that are not there, and those that others have changed first, are skipped, as in all commands about several. */
  delete(editor: PageEditor, versions: Versions, atMs: number): PageEdit & { skipped: string[] } {
    const { next, skipped } = this.#select(editor, versions, 'live')
    const deleted = next.map(({ entry, version }) => toDeleted(entry as Live, version, editor.change))
    return { ...this.#acceptDeleted(deleted, atMs), skipped }
  }

  /** `contents`: of the deleted elements, from the store. */
  restore(
    editor: PageEditor,
    versions: Versions,
    contents: ReadonlyMap<string, StoredElement>,
  ): PageEdit & { skipped: string[] } {
    const { next, skipped } = this.#select(editor, versions, 'deleted')
    const elements: Live[] = []
    for (const { entry, version } of next) {
      const stored = contents.get(entry.elementId)
      if (stored?.version === entry.version)
        elements.push(toLive({ ...stored, version, change: editor.change }))
      else skipped.push(entry.elementId)
    }
    return { ...this.#accept(elements), skipped }
  }

  move(
    editor: PageEditor,
    { dx, dy, elements: versions }: { dx: number; dy: number; elements: Versions },
  ): PageEdit & { skipped: string[] } {
    const { next, skipped } = this.#select(editor, versions, 'live')
    const elements = next.map(({ entry, version }) => {
      const live = entry as Live
      return toLive({ ...live, version, content: moveContent(live.content, dx, dy), change: editor.change })
    })
    for (const { content } of elements) assertWithin(content)
    const edit = this.#accept(elements)
    const moved = elements.map(({ elementId: element_id, version }) => ({ element_id, version }))
    const events: PageEvent[] =
      moved.length > 0 ? [{ name: 'board.moved', body: { dx, dy, elements: moved } }] : []
    return { ...edit, events, size: 0, skipped }
  }

  /** Clears the page. A repetition names the elements that the earlier execution has deleted, and deletes nothing more. */
  clear(editor: PageEditor, atMs: number): PageEdit & { cleared: Versions } {
    const before = [...this.#deleted.values()].filter(({ change }) => change === editor.change)
    if (before.length > 0) return { ...NOTHING, cleared: before.map(versionOf) }
    const own = [...this.#live.values()].filter(
      ({ authorId }) => editor.mayChangeAll || authorId === editor.userId,
    )
    const deleted = own.map(entry => toDeleted(entry, entry.version + 1, editor.change))
    return { ...this.#acceptDeleted(deleted, atMs), cleared: deleted.map(versionOf) }
  }

  /** Applies changes that are stored now. */
  commit({ entries }: PageEdit): void {
    for (const entry of entries) {
      if (entry.is === 'live') this.#published.set(entry.elementId, entry)
      else this.#published.delete(entry.elementId)
      const others = (this.#storing.get(entry.elementId) ?? 1) - 1
      if (others > 0) this.#storing.set(entry.elementId, others)
      else this.#storing.delete(entry.elementId)
    }
  }

  /** The events that lead from what is published to another content of the page. */
  differenceTo(other: PageContent): PageEvent[] {
    const gone = [...this.#published.values()].filter(({ elementId }) => !other.#published.has(elementId))
    const changed = [...other.#published.values()].filter(
      ({ elementId, version }) => this.#published.get(elementId)?.version !== version,
    )
    const deleted = gone.map(({ elementId, version }) => ({
      element_id: elementId,
      version: other.#deleted.get(elementId)?.version ?? version,
    }))
    return [...deletedEvents(deleted), ...elementsEvents(changed)]
  }

  #find(elementId: string): Entry | undefined {
    return this.#live.get(elementId) ?? this.#deleted.get(elementId)
  }

  /** The elements among these that are in this state and get their next version. */
  #select(editor: PageEditor, versions: Versions, is: Entry['is']) {
    const next: { entry: Entry; version: number }[] = []
    const skipped: string[] = []
    for (const { element_id, version } of new Map(versions.map(each => [each.element_id, each])).values()) {
      const entry = this.#find(element_id)
      if (entry) assertMayChange(entry, editor)
      if (isSuperseded(entry, version, editor)) continue
      if (entry?.is === is && isNext(entry, version)) next.push({ entry, version })
      else skipped.push(element_id)
    }
    return { next, skipped }
  }

  /** Throws before anything is changed. */
  #accept(elements: Live[]): PageEdit {
    if (elements.length === 0) return NOTHING
    let [count, bytes] = [this.#live.size, this.#bytes]
    for (const { elementId, size } of elements) {
      assertOrRefuse(size <= ELEMENT_BYTES_MAX, 'element_too_large')
      const before = this.#live.get(elementId)
      if (!before) count += 1
      bytes += size - (before?.size ?? 0)
    }
    // A change that makes a full page smaller is welcome.
    const isFull = count > PAGE_ELEMENTS_MAX || bytes > PAGE_BYTES_MAX
    assertOrRefuse(!isFull || (count <= this.#live.size && bytes <= this.#bytes), 'page_full')
    for (const element of elements) this.#change(element)
    const stored = elements.map(({ is: _, size: __, ...element }) => element)
    const events = elementsEvents(elements)
    const size = events.length === 1 ? elements.reduce((sum, each) => sum + each.size, 0) : 0
    return { changes: [{ is: 'put', elements: stored }], events, entries: elements, size }
  }

  #acceptDeleted(deleted: Deleted[], atMs: number): PageEdit {
    if (deleted.length === 0) return NOTHING
    for (const each of deleted) this.#change(each)
    const forgotten = this.#forget()
    const changes: ElementChange[] = [{ is: 'deleted', elements: deleted, atMs }]
    if (forgotten.length > 0) changes.push({ is: 'forgotten', elementIds: forgotten })
    return { changes, events: deletedEvents(deleted.map(versionOf)), entries: deleted, size: 0 }
  }

  #change(entry: Entry): void {
    this.#set(entry)
    this.#storing.set(entry.elementId, (this.#storing.get(entry.elementId) ?? 0) + 1)
  }

  #set(entry: Entry): void {
    this.#remove(entry.elementId)
    if (entry.is === 'live') {
      this.#live.set(entry.elementId, entry)
      this.#bytes += entry.size
      this.#maxZ = Math.max(this.#maxZ, entry.z)
    } else {
      this.#deleted.set(entry.elementId, entry)
      this.#deletedBytes += entry.size
    }
  }

  #remove(elementId: string): void {
    this.#bytes -= this.#live.get(elementId)?.size ?? 0
    this.#deletedBytes -= this.#deleted.get(elementId)?.size ?? 0
    this.#live.delete(elementId)
    this.#deleted.delete(elementId)
  }

  #forget(): string[] {
    const forgotten: string[] = []
    for (const { elementId } of this.#deleted.values()) {
      if (this.#deleted.size <= DELETED_MAX && this.#deletedBytes <= DELETED_BYTES_MAX) break
      this.#remove(elementId)
      forgotten.push(elementId)
    }
    return forgotten
  }
}

/** A newer version was accepted already, or this very one: the command has had its effect. */
function isSuperseded(known: Entry | undefined, version: number, { change }: PageEditor): boolean {
  return (
    known !== undefined && (version < known.version || (version === known.version && known.change === change))
  )
}

function isNext(known: Entry | undefined, version: number): boolean {
  const present = known?.version ?? 0
  assertOrRefuse(version <= present + VERSION_STEP_MAX, 'version_too_high')
  return version > present
}

function assertMayChange({ authorId }: Entry, { userId, mayChangeAll }: PageEditor): void {
  assertOrRefuse(mayChangeAll || authorId === userId, 'not_your_element')
}

/** Checks what the schema cannot express. */
function assertValid(content: ElementContent): void {
  if (content.kind === 'stroke' || content.kind === 'marker')
    assertOrRefuse(content.data.points.length % POINT_NUMBERS === 0, 'invalid_points')
}

/** Nobody could put an element again that was moved out of the range of the schema. */
function assertWithin(content: ElementContent): void {
  const numbers =
    content.kind === 'stroke' || content.kind === 'marker'
      ? content.data.points.slice(0, 2).map(value => value / 10)
      : Object.entries(content.data).flatMap(([name, value]) => (/^[xy]/.test(name) ? [Number(value)] : []))
  assertOrRefuse(
    numbers.every(value => Math.abs(value) <= COORDINATE_MAX),
    'invalid_argument',
  )
}
