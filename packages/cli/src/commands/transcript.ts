import type { Command } from 'commander'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { print, table } from '../output.ts'

export function addTranscript(lectern: Command) {
  const transcript = lectern.command('transcript').description('read transcripts')

  addCommand(transcript, 'list', 'list transcripts, newest first')
    .option('--conference <tag>', 'only transcripts of this conference')
    .action(list)

  addCommand(transcript, 'show <job>', 'print a transcript').action(show)
}

async function list(options: CommonOptions & { conference?: string }) {
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
  const headings = ['job', 'conference', 'session', 'status', 'language', 'started', 'ended']
  print(options, { transcripts }, table(headings, rows))
}

async function show(job: string, options: CommonOptions) {
  const transcript = await withOperator(options, operator => operator.transcripts.find(job))
  const lines = transcript.segments.map(({ at, speaker, text }) => `${timeOf(at)}  ${speaker.name}: ${text}`)
  print(options, transcript, lines.map(printable).join('\n') || 'The transcript is empty.')
}

/** Removes control characters: participants choose names, which MUST NOT control the terminal. */
const printable = (line: string) => line.replace(/\p{Cc}/gu, ' ')

const timeOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '')
