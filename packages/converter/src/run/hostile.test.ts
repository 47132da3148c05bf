import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type Sandbox } from '../sandbox/index.ts'
import { FakeHeldJob } from '../testing/held-job.ts'
import { png, sizeOf } from '../testing/images.ts'
import { pdf, stream, textAt } from '../testing/pdf.ts'
import { convert } from './convert.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-hostile-'))
let sandbox: Sandbox
let jobs = 0
beforeAll(async () => {
  sandbox = await openSandbox({ isSandboxed: true })
})
afterAll(() => rmSync(root, { recursive: true }))

/** The outcome for a document: why it cannot be shown, and why its pages cannot. */
async function resultOf(document: Buffer, type = 'application/pdf', limits = {}) {
  const job = new FakeHeldJob(join(root, `job-${++jobs}`), document, type)
  const { result } = await convert(job, sandbox, limits)
  return { failure: result.failure, pages: job.pages.map(({ failure }) => failure), job }
}

const SHOWN = { failure: null, pages: [null] }

/** A form that draws itself twice, many levels deep. */
const forms = (levels: number) =>
  Array.from({ length: levels }, (_, level) => {
    const next = 100 + ((level + 1) % levels)
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 900 900] /Resources << /XObject << /F ${next} 0 R >> >>`
    return stream(entries, level === levels - 1 ? '0 0 m 800 500 l S' : '/F Do 1 0 0 1 1 1 cm /F Do')
  })

const withForm = '/Resources << /XObject << /F 100 0 R >> >>'

const image = (width: number, height: number, data: string) =>
  stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`,
    data,
  )

const ENCRYPTED =
  '/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a> /U <28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a> >> /ID [<00> <00>]'

describe('a document', () => {
  it.each([
    ['is no PDF at all', Buffer.from('%PDF-1.7\nnothing'), 'damaged'],
    ['is empty', Buffer.alloc(0), 'damaged'],
    ['is cut off before its pages', pdf([{}]).subarray(0, 60), 'damaged'],
    ['is protected by a password', pdf([{}], { trailer: ENCRYPTED }), 'encrypted'],
    ['has more than 300 pages', pdf(Array.from({ length: 301 }, () => ({ content: '' }))), 'too_many_pages'],
    ['has no pages', pdf([]), 'empty'],
  ])('that %s says so', async (_, document, failure) => {
    const { failure: found, pages } = await resultOf(document)
    expect({ found, pages }).toEqual({ found: failure, pages: [] })
  })

  it.each([
    ['is damaged at its end', pdf([{}]).subarray(0, -20)],
    [
      'has scripts',
      pdf([{ more: '/AA << /O << /S /JavaScript /JS (while (true) {}) >> >>' }], {
        catalogue: '/OpenAction << /S /JavaScript /JS (app.launchURL\\("http://127.0.0.1"\\)) >>',
      }),
    ],
    ['starts programs', pdf([{}], { catalogue: '/OpenAction << /S /Launch /F (/bin/sh) >>' })],
    [
      'is an archive, too',
      Buffer.concat([Buffer.from('PK\x03\x04 an archive '), pdf([{ content: textAt('x') }])]),
    ],
    ['has a form that contains itself', pdf([{ more: withForm, content: '/F Do' }], { objects: forms(1) })],
    ['has forms that contain each other', pdf([{ more: withForm, content: '/F Do' }], { objects: forms(3) })],
  ])('that %s is drawn, and nothing else happens', async (_, document) => {
    expect(await resultOf(document)).toMatchObject(SHOWN)
  })

  it('that reads files or addresses gets neither', async () => {
    let connections = 0
    const server = createServer(socket => {
      connections++
      socket.destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const secret = join(root, 'secret')
    writeFileSync(secret, textAt('the secret'))
    const external = (file: string) =>
      `<< /Type /XObject /Subtype /Form /BBox [0 0 900 900] /F ${file} /Length 0 >>\nstream\n\nendstream`
    for (const file of [`(${secret})`, `<< /FS /URL /F (http://127.0.0.1:${port}/) >>`]) {
      const document = pdf([{ more: withForm, content: '/F Do' }], { objects: [external(file)] })
      const { job } = await resultOf(document)
      expect(JSON.stringify(job.pages)).not.toContain('secret')
    }
    server.close()
    expect(connections).toBe(0)
  })

  it('with a page that takes for ever is drawn without it', async () => {
    const bomb = { more: withForm, content: '/F Do' }
    const { failure, pages } = await resultOf(
      pdf([{}, bomb, {}], { objects: forms(40) }),
      'application/pdf',
      { pageMs: 2_000 },
    )
    expect(failure).toBeNull()
    expect(pages).toEqual([null, 'too_slow', null])
  })

  it('with a picture that unpacks to gigabytes harms nothing', async () => {
    const zeros = deflateSync(Buffer.alloc(200_000_000)).toString('latin1')
    const picture = { more: withForm, content: 'q 800 0 0 500 0 0 cm /F Do Q' }
    const { pages } = await resultOf(pdf([picture, {}], { objects: [image(60_000, 60_000, zeros)] }))
    expect(pages).toHaveLength(2)
    expect(pages[1]).toBeNull()
  })

  it.each([
    [
      { width: 14_400, height: 14_400 },
      { width: 1920, height: 1920 },
    ],
    [
      { width: 10, height: 14_400 },
      { width: 3, height: 3840 },
    ],
    [
      { width: 14_400, height: 10 },
      { width: 1920, height: 1 },
    ],
    [
      { width: 1_000_000, height: 1_000_000 },
      { width: 1920, height: 1920 },
    ],
  ])('with a page of %o is scaled to %o', async (size, expected) => {
    const { job } = await resultOf(pdf([size]))
    expect(job.pages[0]).toMatchObject({ failure: null, ...expected })
  })

  it('whose pages contain their own list is not drawn for ever', async () => {
    const loop = pdf([{}]).toString('latin1').replace('/Kids [10 0 R]', '/Kids [ 2 0 R]')
    expect((await resultOf(Buffer.from(loop, 'latin1'))).pages).toEqual(['damaged'])
  })

  it('that turns its pages is drawn upright', async () => {
    const { job } = await resultOf(pdf([{ width: 800, height: 400, more: '/Rotate 90' }]))
    expect(job.pages[0]).toMatchObject({ width: 1920, height: 3840, failure: null })
  })
})

describe('an image', () => {
  it.each([
    ['is none', Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1'), 'damaged'],
    ['is cut off', png(400, 300).subarray(0, 60), 'damaged'],
    ['claims to have more rows than it has', png(400, 300, { rows: 3 }), 'damaged'],
    ['claims 10 gigapixels', png(100_000, 100_000, { rows: 1 }), 'too_many_pixels'],
    ['has 60 megapixels', png(10_000, 6_000, { rows: 1 }), 'too_many_pixels'],
  ])('that %s says so', async (_, bytes, failure) => {
    expect((await resultOf(bytes, 'image/png')).pages).toEqual([failure])
  })

  it('of another kind than announced says so', async () => {
    expect((await resultOf(pdf([{}]), 'image/jpeg')).pages).toEqual(['damaged'])
    expect((await resultOf(Buffer.from('GIF89a'), 'image/gif')).pages).toEqual(['unsupported'])
  })

  it('of one column is shown, of the height that pictures have', async () => {
    const { job } = await resultOf(png(2, 40_000), 'image/png')
    expect(job.pages[0]).toMatchObject({ failure: null, width: 1, height: 3840 })
  })

  it.each([
    ['opaque', 'testsrc=size=200x100'],
    ['transparent', 'color=red@0.5:size=200x100,format=rgba'],
  ])('that is animated and %s is shown as its first picture', async (_, source) => {
    const file = join(root, 'animated.webp')
    const input = ['-f', 'lavfi', '-i', `${source},fade=out:start_time=0.5:d=0.5`, '-t', '1', '-r', '5']
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-c:v', 'libwebp_anim', file])
    const animated = readFileSync(file)
    expect(animated.includes('ANMF')).toBe(true)
    const { job } = await resultOf(animated, 'image/webp')
    expect(job.pages[0]).toMatchObject({ failure: null, width: 200, height: 100 })
    expect((await resultOf(animated.subarray(0, 90), 'image/webp')).pages).toEqual(['damaged'])
  })

  it('of 49 megapixels is scaled', async () => {
    const { job, failure } = await resultOf(png(7_000, 7_000), 'image/png')
    expect(failure).toBeNull()
    expect(job.pages[0]).toMatchObject({ width: 1920, height: 1920 })
    const largest = [...job.files].find(([path]) => path.includes('/1920.'))?.[1] ?? Buffer.alloc(0)
    expect(sizeOf(largest)).toEqual({ width: 1920, height: 1920 })
  })
})

describe('the sandbox', () => {
  it('has no network, no files of others, no environment and nothing to write to but memory', async () => {
    const script = [
      'cat /etc/passwd /etc/shadow',
      `cat ${join(root, 'secret')}`,
      'ls /home /root /var/lib /proc',
      'touch /usr/x /job/document.pdf && echo written',
      'cat /sys/class/net/*/address',
      'env',
    ]
    const file = join(root, 'document')
    writeFileSync(file, 'content')
    const { outputs } = await sandbox.run({
      command: ['sh', '-c', script.join('; ')],
      files: { 'document.pdf': file },
      withinMs: 10_000,
      maxBytes: 100_000,
    })
    const lines = (outputs[0]?.toString() ?? '')
      .split('\n')
      .filter(line => line !== '' && !line.includes('='))
    expect(lines).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe('content')
  })

  it('ends what writes or stays too long, and all that it has started', async () => {
    const run = (script: string, withinMs: number) =>
      sandbox.run({ command: ['sh', '-c', script], withinMs, maxBytes: 10_000 })
    expect(await run('cat /dev/zero', 60_000)).toMatchObject({ code: null, ended: 'output' })
    expect(await run('sleep 100 & sleep 100', 100)).toMatchObject({ code: null, ended: 'time' })
    expect(await run('while :; do :; done', 1_000)).toMatchObject({ ended: 'time' })
  })
})
