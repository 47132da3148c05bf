/**
 * A worker that reports received media as one JSON object per line. Its environment is that of any worker on its own
 * machine; TAP_WORKER_FAILURES sets the number of failing attempts of a job. Each SIGUSR2 toggles the requested video
 * size between large and small.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IncomingTrack, startWorker } from '@lectern/worker-kit'

const REPORT_INTERVAL_MS = 100
const SMALL = { width: 320, height: 180 }
const LARGE = { width: 1280, height: 720 }

const report = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)

await startWorker({
  kind: 'recording',
  name: 'tap-worker',
  version: '1',
  capacity: 2,
  kinds: ['audio', 'video'],
  work: async held => {
    const { job_id, attempt, details } = held.job
    // The kit keeps its clock there, too.
    const files = readdirSync(held.folder).filter(name => name.startsWith('attempt-'))
    report({ is: 'job', job_id, attempt, details, folder: held.folder, files })
    writeFileSync(join(held.folder, `attempt-${held.job.attempt}`), '')
    if (held.job.attempt <= Number(process.env.TAP_WORKER_FAILURES ?? 0)) throw new Error('as it should be')
    held.progress({ active: true, details: { attempt: held.job.attempt } })
    held.onSession(({ name }) => report({ is: 'session', name }))
    held.onTrack(track => observe(track))
    await new Promise((resolve, reject) => {
      held.stop.addEventListener('abort', () => resolve(null))
      held.drain.addEventListener('abort', () => reject(new Error('draining')))
    })
    report({ is: 'stopping', why: held.stop.reason })
    return { outcome: 'failed', result: { reason: 'it records nothing' } }
  },
})

function observe(track: IncomingTrack): void {
  const { publicationId, source, ssrc, codec, isPaused } = track
  const about = { publicationId, source, ssrc, mimeType: codec.mimeType }
  const counts = { packets: 0, wrong: 0, reports: 0, keyFrames: 0, width: 0 }
  let displaySize = LARGE
  process.on('SIGUSR2', () => {
    displaySize = displaySize === LARGE ? SMALL : LARGE
    track.setDisplaySize(displaySize)
  })
  let last = -1
  report({ is: 'track', ...about, isPaused })
  const reportTimer = setInterval(() => {
    if (counts.packets + counts.reports !== last) report({ is: 'counts', ...about, ...counts })
    last = counts.packets + counts.reports
  }, REPORT_INTERVAL_MS)
  const keyFrameTimer = setInterval(() => track.requestKeyFrame(), 300)
  track.setListener({
    packet: rtp => {
      counts.packets++
      // A failed decryption leaves the RTP header intact; the VP8 payload reveals it.
      if (rtp.readUInt32BE(8) !== ssrc || (rtp.readUInt8(1) & 0x7f) !== codec.payloadType) counts.wrong++
      const width = codec.mimeType === 'video/VP8' ? widthOfKeyFrame(rtp) : null
      if (width === null) return
      counts.keyFrames++
      counts.width = width
    },
    report: senderReport => {
      if (senderReport.ssrc === ssrc && senderReport.ntp > 0n) counts.reports++
    },
    paused: isPaused => report({ is: 'paused', ...about, isPaused }),
    ended: () => {
      clearInterval(reportTimer)
      clearInterval(keyFrameTimer)
      report({ is: 'ended', ...about })
    },
  })
}

/** Follows the start code 9d 01 2a of a keyframe (RFC 7741 4.3, RFC 6386 9.1). */
function widthOfKeyFrame(rtp: Buffer): number | null {
  const extension = rtp.readUInt8(0) & 0x10
  const at = 12 + (extension ? 4 + 4 * rtp.readUInt16BE(14) : 0)
  const code = rtp.subarray(at, at + 16).indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  return code < 0 ? null : rtp.readUInt16LE(at + code + 3) & 0x3fff
}
