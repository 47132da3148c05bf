import type { TranscriptionRequest } from '@lectern/protocol'
import type { Command } from 'commander'
import { addressOf, transcribe } from '../api.ts'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { print } from '../output.ts'

interface Options extends CommonOptions {
  url?: string
  language?: string
}

export function addTranscription(lectern: Command) {
  const transcription = lectern
    .command('transcription')
    .description('control live transcription of running conferences, including partner rooms')

  addCommand(transcription, 'start <tag>', 'start transcription of a conference')
    .option('--language <tag>', 'BCP 47 language tag, e.g. en-US (default: from the transcriber)')
    .option('--url <url>', 'address of the service (default: from the configuration)')
    .action((tag, options) => request('start', tag, options))

  addCommand(
    transcription,
    'stop <tag>',
    'stop transcription of a conference; the transcript is stored when it is complete',
  )
    .option('--url <url>', 'address of the service (default: from the configuration)')
    .action((tag, options) => request('stop', tag, options))
}

async function request(action: TranscriptionRequest['action'], tag: string, options: Options) {
  const { url, token } = await withOperator(options, async (operator, config) => ({
    url: addressOf(config, options.url),
    token: await operator.adminToken(),
  }))
  const { language } = options
  await transcribe(url, token, tag, { action, ...(language !== undefined && { language }) })
  const requested = action === 'start' ? 'Requested' : 'Stopped'
  print(options, { tag, action }, `${requested} transcription of conference ${tag}.`)
}
