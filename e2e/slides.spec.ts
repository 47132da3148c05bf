import { pdf, textAt } from '@lectern/converter/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { DocumentUploads } from './support/document-uploads.ts'
import { useLectern } from './support/lectern.ts'
import { useMembers } from './support/members.ts'
import { waitFor } from './support/wait.ts'

const PAGES = 8

const lectern = useLectern(() => ({ SVC_CONVERTER_EMBEDDED: '1' }))
const enter = useMembers({ keepsMembers: true })

let slides: DocumentUploads
beforeAll(async () => {
  slides = await DocumentUploads.enter(lectern, enter)
})

describe('slides', () => {
  it('are converted by the worker that the server starts, also if it is killed in the middle', async () => {
    await waitFor(async () => (await slides.get('/server_info')).slides_available, 'the converter is there')
    const pages = Array.from({ length: PAGES }, (_, i) => ({ content: textAt(`Fractions, part ${i + 1}`) }))
    const id = await slides.upload(slides.about('Fractions.pdf'), pdf(pages))
    await waitFor(async () => (await slides.get(`/files/${id}`)).pages.length > 0, 'the first page is there')
    const pid = slides.converterPid as number
    process.kill(pid, 'SIGKILL')
    const file = await slides.converted(id)
    expect(file).toMatchObject({ state: 'ready', failure: null, page_count: PAGES })
    expect(slides.converterPid).not.toBe(pid)
    expect(file.pages.map((page: { page_number: number }) => page.page_number)).toEqual(
      pages.map((_, i) => i + 1),
    )
    const picture = await slides.call(`/api/v1.0/files/${id}/pages/${PAGES}/1920`)
    expect(picture.headers.get('content-type')).toMatch(/^image\/(png|jpeg)$/)
    expect((await slides.get(`/files/${id}/pages/${PAGES}/text`)).lines).toMatchObject([
      { text: `Fractions, part ${PAGES}` },
    ])
  })

  it('that are damaged say so', async () => {
    const id = await slides.upload(slides.about('damaged.pdf'), Buffer.from('%PDF-1.7\nnothing'))
    const file = await slides.converted(id)
    expect(file).toMatchObject({
      state: 'failed',
      failure: { reason: 'damaged', message: 'The file is damaged.' },
      pages: [],
    })
  })

  it('continue where they were when the server is killed in the middle of the upload', async () => {
    const bytes = pdf([{ content: textAt('Fractions') }])
    const location = await slides.begin(slides.about('Fractions.pdf'), bytes)
    expect((await slides.append(location, 0, bytes.subarray(0, 100))).status).toBe(204)
    await lectern.stop('SIGKILL')
    await lectern.start()
    const head = await slides.call(location, { method: 'HEAD' })
    expect(head.headers.get('upload-offset')).toBe('100')
    const last = await slides.append(location, 100, bytes.subarray(100))
    expect(await slides.converted(last.headers.get('upload-blob-id') ?? '')).toMatchObject({
      state: 'ready',
      page_count: 1,
    })
  })
})
