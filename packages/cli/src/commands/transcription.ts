import type { TranscriptionRequest } from '@lectern/protocol'
import type { Command } from 'commander'
import { addressOf, transcribe } from '../api.ts'
import { addCommand, type Common, withOperator } from '../command.ts'
import { print } from '../output.ts'

interface Options extends Common {
  url?: string
  language?: string
}

export function addTranscription(lectern: Command) {
  const transcription = lectern
    .command('transcription')
    .description('live transcription of running conferences, partners’ rooms too')

  addCommand(transcription, 'start <tag>', 'begin one in the conference, if none goes on')
    .option('--language <tag>', 'as in en-US (default: the one of the transcriber)')
    .option('--url <url>', 'where the service is (default: as configured)')
    .action((tag, options) => order('start', tag, options))

  addCommand(transcription, 'stop <tag>', 'end it; its text is told when it is whole')
    .option('--url <url>', 'where the service is (default: as configured)')
    .action((tag, options) => order('stop', tag, options))
}

async function order(action: TranscriptionRequest['action'], tag: string, options: Options) {
  const { url, token } = await withOperator(options, async (operator, config) => ({
    url: addressOf(config, options.url),
    token: await operator.adminToken(),
  }))
  const { language } = options
  await transcribe(url, token, tag, { action, ...(language !== undefined && { language }) })
  const says =
    action === 'start' ? 'is transcribed as soon as a transcriber takes it' : 'is transcribed no more'
  print(options, { tag, action }, `Conference ${tag} ${says}.`)
}
