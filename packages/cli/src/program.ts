import { Command } from 'commander'
import { addBackup } from './commands/backup.ts'
import { addCluster } from './commands/cluster.ts'
import { addCompletion } from './commands/completion.ts'
import { addDb } from './commands/db.ts'
import { addDoctor } from './commands/doctor.ts'
import { addLti } from './commands/lti.ts'
import { addMediaNode } from './commands/media-node.ts'
import { addPush } from './commands/push.ts'
import { addQuickstart } from './commands/quickstart.ts'
import { addRoom } from './commands/room.ts'
import { addServe } from './commands/serve.ts'
import { addServiceAccount } from './commands/service-account.ts'
import { addStorage } from './commands/storage.ts'
import { addTranscript } from './commands/transcript.ts'
import { addTranscription } from './commands/transcription.ts'
import { addUser } from './commands/user.ts'
import { addWebhook } from './commands/webhook.ts'
import { usageErrorLine } from './errors.ts'
import { version } from './version.ts'

/** The command line with all its commands. */
export function createProgram(): Command {
  // MUST precede the commands, which inherit these settings.
  const lectern = new Command('lectern')
    .description('Lectern, a video conferencing server')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageErrorLine(text)) })

  addServe(lectern)
  addMediaNode(lectern)
  addQuickstart(lectern)
  addUser(lectern)
  addServiceAccount(lectern)
  addLti(lectern)
  addRoom(lectern)
  addWebhook(lectern)
  addPush(lectern)
  addTranscription(lectern)
  addStorage(lectern)
  addTranscript(lectern)
  addCluster(lectern)
  addDoctor(lectern)
  addDb(lectern)
  addBackup(lectern)
  addCompletion(lectern)
  return lectern
}
