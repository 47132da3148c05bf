import { versionOf } from '@lectern/common/version'
import { startWorker } from '@lectern/worker-kit'
import { pino } from 'pino'
import { hasCaptured } from './capture/capture-folder.ts'
import { Ffmpeg } from './compose/ffmpeg.ts'
import { recordSession } from './record-session.ts'

const version = versionOf(import.meta.url)

/** Capture is cheap; composition is serialised. */
const SESSIONS_AT_ONCE = 50

const RESERVE_MIB = 512

/** Disk space that capture leaves free, in MiB. */
function reserveMib(): number {
  const configured = Number(process.env.SVC_WORKER_RESERVE_MIB ?? RESERVE_MIB)
  if (!Number.isSafeInteger(configured) || configured < 0)
    throw new Error('SVC_WORKER_RESERVE_MIB must be a non-negative integer')
  return configured
}

const log = pino({ name: 'recorder', level: process.env.SVC_WORKER_LOG_LEVEL ?? 'info' }, pino.destination(2))

await startWorker({
  kind: 'recording',
  name: 'recorder',
  version,
  work: recordSession({ ffmpeg: new Ffmpeg(), log, reserveBytes: reserveMib() * 1024 * 1024, version }),
  capacity: SESSIONS_AT_ONCE,
  kinds: ['audio', 'video'],
  hasCapturedMedia: hasCaptured,
})
