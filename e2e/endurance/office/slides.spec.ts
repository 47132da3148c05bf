import { openDocument, pptx, slideText } from '@lectern/converter/testing'
import { OFFICE_TYPES } from '@lectern/protocol'
import { runDoctor } from '@lectern/server/operator'
import { beforeAll, describe, expect, it } from 'vitest'
import { DocumentUploads } from '../../support/document-uploads.ts'
import { useLectern } from '../../support/lectern.ts'
import { useMembers } from '../../support/members.ts'
import { waitFor } from '../../support/wait.ts'

const PAGES = 20

const settings = { SVC_CONVERTER_EMBEDDED: '1', SVC_CONVERTER_OFFICE: '1' }
const lectern = useLectern(() => settings)
const enter = useMembers({ keepsMembers: true })

let slides: DocumentUploads
beforeAll(async () => {
  slides = await DocumentUploads.enter(lectern, enter)
  await waitFor(
    async () => (await slides.get('/server_info')).office_slides_available,
    'the converter takes office documents: npm run test:endurance -- office installs LibreOffice',
  )
})

describe('slides', () => {
  it('may be a presentation of PowerPoint', async () => {
    const id = await slides.upload(slides.about('Fractions.pptx'), pptx(slideText('Fractions')))
    expect(await slides.converted(id)).toMatchObject({
      ...{ state: 'ready', failure: null, page_count: 1, content_type: OFFICE_TYPES.pptx },
    })
    expect((await slides.get(`/files/${id}/pages/1/text`)).lines).toMatchObject([{ text: 'Fractions' }])
  })

  it('of an office document go on with the missing pages when the converter is killed', async () => {
    const pages = Array.from(
      { length: PAGES },
      (_, at) =>
        `<draw:page><draw:frame svg:width="9cm" svg:height="2cm"><draw:text-box><text:p>Part ${at + 1}</text:p></draw:text-box></draw:frame></draw:page>`,
    )
    const id = await slides.upload(
      slides.about('Fractions.odp'),
      openDocument(OFFICE_TYPES.odp, pages.join('')),
    )
    await waitFor(async () => (await slides.get(`/files/${id}`)).pages.length > 0, 'the first page is there')
    const pid = slides.converterPid as number
    process.kill(pid, 'SIGKILL')
    expect(await slides.converted(id)).toMatchObject({ state: 'ready', failure: null, page_count: PAGES })
    expect(slides.converterPid).not.toBe(pid)
    expect((await slides.get(`/files/${id}/pages/${PAGES}/text`)).lines).toMatchObject([
      { text: `Part ${PAGES}` },
    ])
  })

  it('of office documents are what the doctor tries', async () => {
    const { checks } = await runDoctor(undefined, { SVC_SERVER_JWT_SECRET: 'x'.repeat(32), ...settings })
    expect(checks.find(({ name }) => name === 'converter')).toMatchObject({
      status: 'ok',
      says: 'In a sandbox, office documents too.',
    })
  })
})
