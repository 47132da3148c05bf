import { describe, expect, it } from 'vitest'
import type { Blob } from '../../records/ports.ts'
import type { BlobIndex } from '../ports.ts'

const blob = (start: string): Blob => ({
  id: `b_${start.padEnd(32, '0')}`,
  ownerId: 7,
  scope: 'recording:aaaa-bbbbb-cccc',
  name: 'tracks/Ärger 👋.ogg',
  contentType: 'audio/ogg',
  size: 2 ** 40,
  sha256: 'ab'.repeat(32),
  createdAt: 1_700_000_000,
})

/** What every list of blobs does. Each call of `open` gives an empty one. */
export function describeBlobIndex(open: () => Promise<BlobIndex>) {
  describe('blob index', () => {
    it('BI1 gives back what was added, first as writing, then as ready', async () => {
      const index = await open()
      await index.add(blob('1'))
      expect(await index.find(blob('1').id)).toEqual({ blob: blob('1'), state: 'writing' })
      await index.markReady(blob('1').id)
      expect(await index.find(blob('1').id)).toEqual({ blob: blob('1'), state: 'ready' })
    })

    it('BI2 lists by the beginning of the id', async () => {
      const index = await open()
      for (const start of ['0f', '10', '1fff', '20', 'ff']) await index.add(blob(start))
      const listed = async (prefix: string) => (await index.listByPrefix(prefix)).map(row => row.blob.id)
      expect(await listed('b_1')).toEqual([blob('10').id, blob('1fff').id])
      expect(await listed('b_ff')).toEqual([blob('ff').id])
      expect(await listed('b_33')).toEqual([])
    })

    it('BI3 is empty until something is added, and after all was removed', async () => {
      const index = await open()
      expect(await index.isEmpty()).toBe(true)
      await index.add(blob('1'))
      expect(await index.isEmpty()).toBe(false)
      for (const _ of [1, 2]) await index.remove(blob('1').id)
      expect(await index.isEmpty()).toBe(true)
      expect(await index.find(blob('1').id)).toBeNull()
    })
  })
}
