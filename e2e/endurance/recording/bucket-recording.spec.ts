import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useBucket } from '../../support/bucket.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { probe } from '../../support/recorded-video.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { Visitor } from '../../support/visitor.ts'

const PART_BYTES = 100_000

const bucket = useBucket()
const { lectern, receiver, openRed, makeFolder, partner } = await useRecordedLessons(2, bucket.settings)

describe('a recording in a bucket', () => {
  it('is stored completely although the server is killed during an upload, and can be downloaded in ranges', async () => {
    const { links } = await createHostedRoom(partner(), 'kept', openRed)
    const { tag } = await partner().getRoom('kept')
    const teacher = await Visitor.join(await openRed(links.teacher))
    await teacher.page.getByText('REC', { exact: true }).waitFor()
    await sleep(4_000)

    const isUploading = bucket.hold({ text: 'partNumber=' })
    await teacher.page.close()
    await isUploading
    await lectern.stop('SIGKILL')
    bucket.release()
    await lectern.start()

    const { event } = await receiver.next(tag)
    if (event.type !== 'recording.ready') throw new Error(`expected recording.ready, got ${event.type}`)
    const { files, status } = event.data.recording
    expect(status).toBe('completed')
    const file = files.find(({ path }) => path === 'recording.mkv')
    const bytes = await downloadInParts(String(file?.url), file?.size ?? 0)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256)
    const recording = join(makeFolder(), 'recording.mkv')
    writeFileSync(recording, bytes)
    expect((await probe(recording)).seconds).toBeGreaterThan(3)
    const beyond = await partner()
      .downloadBlob(String(file?.url), { range: `bytes=${file?.size}-` })
      .catch((error: { status?: number }) => error)
    expect(beyond.status).toBe(416)
    expect(receiver.of(tag)).toHaveLength(1)
    expect(lectern.log).not.toContain(bucket.settings.SVC_STORAGE_S3_SECRET_ACCESS_KEY)
  })
})

/** Downloads in ranges, like a partner that resumes interrupted downloads. */
async function downloadInParts(url: string, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let from = 0; from < size; from += PART_BYTES) {
    const response = await partner().downloadBlob(url, { range: `bytes=${from}-${from + PART_BYTES - 1}` })
    expect(response.status).toBe(206)
    parts.push(Buffer.from(await response.arrayBuffer()))
  }
  return Buffer.concat(parts)
}
