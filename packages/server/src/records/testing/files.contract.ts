import { describe, expect, it } from 'vitest'
import type { NewDocumentPage, NewFile } from '../ports.ts'
import type { FileStore } from '../stores/files.ts'

const ID = `b_${'1'.repeat(32)}`
const OTHER = `b_${'2'.repeat(32)}`

const newFile = (changes: Partial<NewFile> = {}): NewFile => ({
  conferenceTag: 'aaaa-bbbbb-cccc',
  sessionId: 4,
  userId: 7,
  displayName: 'Anna',
  name: 'Fractions.pdf',
  size: 1_000,
  purpose: 'slides',
  createdAtMs: 5_000,
  chatId: null,
  ...changes,
})

const page = (pageNumber: number): NewDocumentPage => ({
  pageNumber,
  width: 1920,
  height: 1080,
  failure: null,
  blobIds: { '320': `b_small_${pageNumber}`, text: `b_text_${pageNumber}` },
})

/** Each call of `open` returns an empty store. */
export function describeFileStore(open: () => Promise<FileStore>): void {
  const converting = async () => {
    const store = await open()
    await store.add(ID, newFile())
    await store.complete(ID, 'application/pdf', 'converting')
    return store
  }

  describe('file store', () => {
    it('FILES-1 lists a file once its upload is complete, which happens once', async () => {
      const store = await open()
      await store.add(ID, newFile())
      expect(await store.list('aaaa-bbbbb-cccc', 10)).toEqual([])
      expect(await store.complete(ID, 'application/pdf', 'converting')).toBe(true)
      expect(await store.complete(ID, 'image/png', 'stored')).toBe(false)
      expect(await store.list('aaaa-bbbbb-cccc', 10)).toEqual([
        {
          ...newFile(),
          id: ID,
          contentType: 'application/pdf',
          state: 'converting',
          failure: null,
          pageCount: null,
        },
      ])
      expect(await store.list('other', 10)).toEqual([])
      expect(await store.find('b_\0')).toBeNull()
    })

    it('FILES-1 lists the newest files, oldest first', async () => {
      const store = await open()
      for (const [id, createdAtMs] of [
        ['b_first', 1],
        ['b_third', 3],
        ['b_second', 2],
      ] as const) {
        await store.add(id, newFile({ createdAtMs }))
        await store.complete(id, 'application/pdf', 'converting')
      }
      expect((await store.list('aaaa-bbbbb-cccc', 2)).map(({ id }) => id)).toEqual(['b_second', 'b_third'])
    })

    it('FILES-1 lists slides that were put for a room, the newest first', async () => {
      const store = await converting()
      for (const [id, createdAtMs, purpose] of [
        ['b_first', 1, 'slides'],
        ['b_second', 2, 'slides'],
        ['b_image', 3, 'board_image'],
        ['b_unfinished', 4, 'slides'],
      ] as const) {
        await store.add(id, newFile({ sessionId: 0, createdAtMs, purpose }))
        if (id !== 'b_unfinished') await store.complete(id, 'application/pdf', 'converting')
      }
      const listed = await store.listRoomSlides('aaaa-bbbbb-cccc')
      expect(listed.map(({ id }) => id)).toEqual(['b_second', 'b_first'])
      expect(await store.listRoomSlides('another-tag')).toEqual([])
    })

    it('FILES-2 stores a page with its blobs once, and none of a file that is being removed', async () => {
      const store = await converting()
      expect(await store.addPage(ID, page(1), 2)).toBe(true)
      expect(await store.addPage(ID, { ...page(1), blobIds: { text: 'b_again' } }, 2)).toBe(false)
      expect(await store.pages(ID)).toEqual([{ pageNumber: 1, width: 1920, height: 1080, failure: null }])
      expect(await store.findPart(ID, 1, 'text')).toBe('b_text_1')
      expect(await store.findPart(ID, 1, '960')).toBeNull()
      expect(await store.find(ID)).toMatchObject({ pageCount: 2 })
      await store.beginRemoval(ID)
      expect(await store.addPage(ID, page(2), 2)).toBe(false)
      expect((await store.blobsOf(ID)).sort()).toEqual(['b_small_1', 'b_text_1'])
    })

    it('FILES-3 ends a conversion once', async () => {
      const store = await converting()
      expect(await store.endConversion(ID, { state: 'ready', failure: null, pageCount: 3 })).toBe(true)
      expect(await store.endConversion(ID, { state: 'failed', failure: 'damaged', pageCount: null })).toBe(
        false,
      )
      expect(await store.find(ID)).toMatchObject({ state: 'ready', failure: null, pageCount: 3 })
    })

    it('FILES-4 counts complete files, and unfinished uploads of the account itself, and not what is being removed', async () => {
      const store = await converting()
      const none = { files: 0, bytes: 0 }
      await store.add(OTHER, newFile({ size: 500, userId: 8, createdAtMs: 6_000 }))
      const used = { files: 1, bytes: 1_000, ownUnfinished: none, accountBytes: 1_000 }
      expect(await store.usage(newFile(), 0)).toEqual(used)
      const ofOther = { ...used, ownUnfinished: { files: 1, bytes: 500 }, accountBytes: 500 }
      expect(await store.usage(newFile({ userId: 8 }), 0)).toEqual(ofOther)
      await store.complete(OTHER, 'application/pdf', 'converting')
      expect(await store.usage(newFile(), 0)).toMatchObject({ files: 2, bytes: 1_500 })
      expect(await store.usage(newFile(), 5_001)).toMatchObject({ accountBytes: 0 })
      expect(await store.usage(newFile({ purpose: 'chat_file' }), 0)).toMatchObject({ files: 0, bytes: 0 })
      await store.beginRemoval(OTHER)
      expect(await store.usage(newFile(), 0)).toMatchObject({ files: 1, bytes: 1_000 })
    })

    it('FILES-5 removes a file in two steps, of which the first one is visible to the sweep', async () => {
      const store = await converting()
      await store.addPage(ID, page(1), 1)
      expect(await store.beginRemoval(ID)).toBe(true)
      expect(await store.beginRemoval(ID)).toBe(false)
      expect(await store.list('aaaa-bbbbb-cccc', 10)).toEqual([])
      expect((await store.listUnfinished(10)).map(({ id, state }) => [id, state])).toEqual([[ID, 'removing']])
      await store.remove(ID)
      expect([await store.find(ID), await store.pages(ID), await store.blobsOf(ID)]).toEqual([null, [], []])
    })

    it('FILES-6 gives a file in a chat to one message of its sender there, and removes one that no message has', async () => {
      const store = await open()
      const message = { chatId: 'session:4', userId: 7, commandId: 'c-1' }
      await store.add(ID, newFile({ purpose: 'chat_file', chatId: 'session:4' }))
      expect(await store.claim(ID, message)).toBeNull()
      await store.complete(ID, 'image/png', 'stored')
      for (const other of [{ userId: 8 }, { chatId: 'session:5' }])
        expect(await store.claim(ID, { ...message, ...other })).toBeNull()
      const file = { file_id: ID, name: 'Fractions.pdf', content_type: 'image/png', size: 1_000 }
      expect(await store.claim(ID, message)).toEqual(file)
      expect(await store.claim(ID, message)).toEqual(file)
      expect(await store.claim(ID, { ...message, commandId: 'c-2' })).toBeNull()
      await store.beginRemovalOfUnsent(5_000)
      expect(await store.find(ID)).toMatchObject({ state: 'stored' })
      await store.beginRemovalOfUnsent(5_001)
      expect(await store.find(ID)).toMatchObject({ state: 'removing' })
    })

    it('FILES-8 replaces the content of a file once, while it is being uploaded', async () => {
      const store = await open()
      await store.add(ID, newFile({ purpose: 'chat_file' }))
      expect(await store.replaceContent(ID, 'b_stripped', 900)).toBe(true)
      expect(await store.replaceContent(ID, 'b_again', 900)).toBe(false)
      expect([await store.blobsOf(ID), (await store.find(ID))?.size]).toEqual([['b_stripped'], 900])
      await store.add(OTHER, newFile({ purpose: 'chat_file' }))
      await store.beginRemoval(OTHER)
      expect(await store.replaceContent(OTHER, 'b_late', 900)).toBe(false)
      expect(await store.blobsOf(OTHER)).toEqual([])
    })

    it('FILES-7 counts the files of a conversation outside of sessions since a time', async () => {
      const store = await open()
      const inChat = newFile({
        purpose: 'chat_file',
        chatId: 'direct:7-8',
        conferenceTag: '',
        sessionId: 0,
      })
      await store.add(ID, inChat)
      await store.add(OTHER, { ...inChat, chatId: 'direct:7-9' })
      expect(await store.usage(inChat, 5_000)).toMatchObject({ ownUnfinished: { files: 1, bytes: 1_000 } })
      for (const id of [ID, OTHER]) await store.complete(id, 'text/plain', 'stored')
      expect(await store.usage(inChat, 5_000)).toMatchObject({ files: 1, bytes: 1_000 })
      expect(await store.usage(inChat, 5_001)).toMatchObject({ files: 0, bytes: 0 })
    })
  })
}
