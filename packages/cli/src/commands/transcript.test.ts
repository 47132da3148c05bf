import { describe, expect, it } from 'vitest'
import { INI, useLectern } from '../testing.ts'

const { makeFolder, launch, here } = useLectern()

describe('lectern transcript', () => {
  it('lists transcripts, and reports an unknown one', async () => {
    const folder = makeFolder(INI)
    expect(await here.json(folder, ['transcript', 'list'])).toEqual({ transcripts: [] })
    expect(await here.run(folder, ['transcript', 'show', 'job_1'])).toMatchObject({
      code: 1,
      stderr: 'lectern: There is no transcript of job job_1.\n',
    })
  })
})

describe('lectern transcription', () => {
  it('sends a request to the running service, which reports an empty conference', async () => {
    const folder = makeFolder(INI)
    const service = await launch(folder, ['serve'])
    for (const action of ['start', 'stop'])
      expect(
        await here.run(folder, ['transcription', action, 'aaaa-bbbbb', '--url', service.first().url]),
      ).toMatchObject({ code: 1, stderr: 'lectern: Nobody is in this conference right now.\n' })
    expect(await service.stop()).toBe(0)
    expect(await here.run(folder, ['transcription', 'start', 'aaaa-bbbbb'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Port is 0'),
    })
  })
})
