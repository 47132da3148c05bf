import type { Command } from 'commander'
import { addCommand, type Common, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

export function addTranscript(lectern: Command) {
  const transcript = lectern.command('transcript').description('what transcribers heard')

  addCommand(transcript, 'list', 'show transcripts, the newest first')
    .option('--conference <tag>', 'only of this conference')
    .action(list)

  addCommand(transcript, 'show <job>', 'print who said what').action(show)
}

async function list(options: Common & { conference?: string }) {
  const transcripts = await withOperator(options, operator => operator.transcripts.list(options.conference))
  const rows = transcripts.map(each => [
    each.job_id,
    each.conference_tag,
    String(each.conference_session_id),
    each.status,
    each.language,
    timeOf(each.started_at_ms),
    timeOf(each.ended_at_ms),
  ])
  const headings = ['job', 'conference', 'session', 'status', 'language', 'begun', 'ended']
  print(options, { transcripts }, table(headings, rows))
}

async function show(job: string, options: Common) {
  const transcript = await withOperator(options, operator => operator.transcripts.find(job))
  const lines = transcript.segments.map(({ at, speaker, text }) => `${timeOf(at)}  ${speaker.name}: ${text}`)
  print(options, transcript, lines.map(plain).join('\n') || 'Nothing was said.')
}

/** Names are chosen by their bearers: none gives orders to the terminal. */
const plain = (line: string) => line.replace(/\p{Cc}/gu, ' ')

const timeOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '')
