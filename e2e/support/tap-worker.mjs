/**
 * A worker that does nothing with what it hears but tell of it: one JSON object a line. Its environment is that of
 * any worker on a machine of its own, and TAP_WORKER_FAILURES says how many attempts of a job go wrong. At each SIGUSR2
 * it wants pictures of another size: small, large, small, and so on.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startWorker } from '@lectern/worker-kit'

const TELL_EVERY_MS = 100
const SMALL = { width: 320, height: 180 }
const LARGE = { width: 1280, height: 720 }

/** @param {object} told */
const tell = told => process.stdout.write(`${JSON.stringify(told)}\n`)

await startWorker({
  kind: 'recording',
  name: 'tap-worker',
  version: '1',
  capacity: 2,
  kinds: ['audio', 'video'],
  work: async held => {
    const { job_id, attempt, details } = held.job
    tell({ is: 'job', job_id, attempt, details, folder: held.folder, files: readdirSync(held.folder) })
    writeFileSync(join(held.folder, `attempt-${held.job.attempt}`), '')
    if (held.job.attempt <= Number(process.env.TAP_WORKER_FAILURES ?? 0)) throw new Error('as it should be')
    held.progress({ active: true, details: { attempt: held.job.attempt } })
    held.onSession(({ name }) => tell({ is: 'session', name }))
    held.onTrack(track => listen(track))
    await new Promise((resolve, reject) => {
      held.stop.addEventListener('abort', () => resolve(null))
      held.drain.addEventListener('abort', () => reject(new Error('draining')))
    })
    tell({ is: 'stopping', why: held.stop.reason })
    return { outcome: 'failed', result: { reason: 'it records nothing' } }
  },
})

/** @param {import('@lectern/worker-kit').IncomingTrack} track */
function listen(track) {
  const { publicationId, source, ssrc, codec, isPaused } = track
  const about = { publicationId, source, ssrc, mimeType: codec.mimeType }
  const counts = { packets: 0, wrong: 0, reports: 0, keyFrames: 0, width: 0 }
  let wanted = LARGE
  process.on('SIGUSR2', () => {
    wanted = wanted === LARGE ? SMALL : LARGE
    track.setDisplaySize(wanted)
  })
  let last = -1
  tell({ is: 'track', ...about, isPaused })
  const telling = setInterval(() => {
    if (counts.packets + counts.reports !== last) tell({ is: 'counts', ...about, ...counts })
    last = counts.packets + counts.reports
  }, TELL_EVERY_MS)
  const asking = setInterval(() => track.requestKeyFrame(), 300)
  track.setListener({
    packet: rtp => {
      counts.packets++
      // A packet that was not decrypted has another payload, but the header would be right: VP8 tells by its own.
      if (rtp.readUInt32BE(8) !== ssrc || (rtp.readUInt8(1) & 0x7f) !== codec.payloadType) counts.wrong++
      const width = codec.mimeType === 'video/VP8' ? widthOfKeyFrame(rtp) : null
      if (width === null) return
      counts.keyFrames++
      counts.width = width
    },
    report: report => {
      if (report.ssrc === ssrc && report.ntp > 0n) counts.reports++
    },
    paused: isPaused => tell({ is: 'paused', ...about, isPaused }),
    ended: () => {
      clearInterval(telling)
      clearInterval(asking)
      tell({ is: 'ended', ...about })
    },
  })
}

/** Behind the start code 9d 01 2a of a key frame (RFC 7741 4.3, RFC 6386 9.1). @param {Buffer} rtp */
function widthOfKeyFrame(rtp) {
  const extension = rtp.readUInt8(0) & 0x10
  const at = 12 + (extension ? 4 + 4 * rtp.readUInt16BE(14) : 0)
  const code = rtp.subarray(at, at + 16).indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  return code < 0 ? null : rtp.readUInt16LE(at + code + 3) & 0x3fff
}
