import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

/** What a smoke run of each benchmark prints: `#` is a number, and a space is any space. */
const results: Record<string, string[]> = {
  abuse: [
    ...['idle', 'idempotency', 'history', 'connections', 'passwords', 'chat'].map(
      attack =>
        `${attack} healthz # / # ms (×# / ×#) chat # / # ms (×# / ×#) login # / # ms (×# / ×#) failed #`,
    ),
    'at the end: lectern # MB',
  ],
  blobs: ['lectern', 'behind nginx', 'remembering', 'nginx'].flatMap(server =>
    ['whole file 1', 'whole file 8', 'ranges of 1 MiB 1', 'ranges of 1 MiB 8'].map(
      load => `${load} ${server} # # (#–#) #`,
    ),
  ),
  board: [
    'commits/s # (#–#), bare inserts # (#–#)',
    'ratio # (#–#)',
    '3 draw, 8 watch: commit p50 # ms, p95 # ms, # strokes/s, # CPU s a second',
    'a page of 100 strokes opens within # (#–#) ms',
  ],
  'board-page': [
    "100 strokes: on the screen after # ms, with the board's code",
    'own ink: frames of # ms, p95 #, p99 #',
    'ink of others: visible after # ms, p95 #, with # ms from each page to the server and back',
    'page change at 10 Mbit/s and 50 ms: shown after # (#–#) ms',
    'a page of 100 strokes at 10 Mbit/s and 50 ms: shown after # (#–#) ms, bare # (#–#) ms for its # MB',
    'ratio # (#–#)',
    'after # further strokes, as many of them erased: frames of # ms, p95 #, p99 #',
    'memory of the page: # MiB before them, # MiB after them',
  ],
  'board-growth': ['2 strokes of up to 3 s in # frames: wrong by # ms, p95 # ms, at most # ms'],
  'board-recorder': [
    '1 strokes a second: # (#–#) of a core',
    '2 strokes a second: # (#–#) of a core',
    '4 strokes a second: # (#–#) of a core',
  ],
  chaos: ['# messages, # observations'],
  class: [
    'lectern # # # % # #',
    'bare # # # % # #',
    '2 people: # videos shown, # received, # kbit/s, # CPU s a second',
    '4 people: # videos shown, # received, # kbit/s, # CPU s a second',
  ],
  'cluster-hand-over': [
    '20 sessions: released after # ms, all run elsewhere after # ms',
    'the server has stopped after # ms, all people are back after # ms',
  ],
  'cluster-hops': [
    ...['participant.update', 'chat.send, stored'].flatMap(command =>
      [0, 1].map(hops => `${command} ${hops} hops: # (#–#) µs of CPU, # (#–#)/s, # ms`),
    ),
    ...[0, 1].map(hops => `${hops} hops: # (#–#) µs of CPU for a forwarded packet, # % arrived`),
    'a hop costs # (#–#) %',
  ],
  'cluster-leases': [
    '30 sessions on 3 servers, opened in # s',
    'idle: # statements/s, PostgreSQL uses # % of a core',
    '1 servers with 10 sessions lost: 10 run elsewhere, first after # s, half after # s, all after # s',
    'no session had two owners',
  ],
  'cluster-upgrade': ['the upgrade works'],
  control: [
    'joined within # s',
    'memory # kB each, on # MB',
    'back after kill -9 # s',
    'participant.update # (#–#) # (#–#)',
    'chat.send, stored # (#–#) # (#–#)',
    '1 # # # (#–#) # / # # (#–#) # / #',
    '10 # # # (#–#) # / # # (#–#) # / #',
    '20 connections in rooms of 2, joined within # s',
    'commands # in 2 s, 0 refused',
    'results #/s, # ms, p99 # ms',
    'memory # MB before, # MB at most',
    'at the end: lectern # MB',
  ],
  converter: [
    'converter: # (#–#) pages/s, the first one after # (#–#) ms',
    'pdftocairo alone: # (#–#) pages/s',
    'ratio: # (#–#)',
  ],
  events: ['SQLite', 'PostgreSQL'].flatMap(database => [
    `${database}: # (#–#) events/s stored, bare inserts # (#–#)/s, ratio # (#–#)`,
    `${database}: # (#–#) events/s delivered, bare requests # (#–#)/s, ratio # (#–#)`,
    `${database}: 10 of 20 hang, on # posts: delay of the others # ms, p99 # ms`,
    ...['beginning', 'middle', 'end'].map(
      place => `${database}: GET /events at the ${place}: median # ms, p95 # ms, longest # ms`,
    ),
    `${database}: meanwhile GET /events: median # ms, p95 # ms, longest # ms`,
    `${database}: a day removed in # batches: median # ms, p95 # ms, longest # ms`,
  ]),
  http: [
    'idle: lectern # MB, bare # MB',
    ...['GET status', 'PUT of an existing room', 'PUT of a new room'].flatMap(request => [
      `${request} # / # µs # (#–#) # # # / # ms`,
      'with the contract bare # µs, ratio # (#–#)',
    ]),
  ],
  join: ['Join to the first remote frame, ms: # (#–#), 1 visits'],
  'large-rooms': [
    ...['one worker', 'two workers', 'bare mediasoup'].map(server => `${server} # # % # # # #`),
    'capacity of a room on two workers, relative to one: #',
    'capacity relative to one router of bare mediasoup: # on one worker, # on two',
  ],
  malformed: ['1 passed'],
  media: ['lectern # # # # + #', 'bare # # # # + #', 'lectern # # %', 'bare # # %'],
  messages: [
    '2 members: # (#–#) messages/s, bare # (#–#)',
    '5 members: # (#–#) messages/s, bare # (#–#)',
    'CPU time per delivery # (#–#) µs, bare # (#–#) µs',
    'home page with 10 conversations and 100 messages: # (#–#) ms',
  ],
  mute: ['from Mute to silence: # (#–#) ms', 'from Unmute to sound: # (#–#) ms'],
  networks: ['another address: audio for # ms, longest gap # ms'],
  pages: [
    'performance # (#–#), aim',
    'accessibility # (#–#), aim',
    'first-contentful-paint # (#–#) ms',
    'total-byte-weight # (#–#) B',
  ],
  picture: ['The picture is in'],
  recording: [
    'capture # CPU s for each minute of a participant',
    'a browser recorder beside it: #; ratios # and #',
    'from the end of the session to recording.ready: # s',
  ],
  screenshots: ['# pictures are in'],
  soak: ['chat p50 / p99: median of minutes # / # ms', 'CPU: # s per second', 'violated invariants: 0'],
  start: ['first start: # s to the links, # CPU s', 'second start: # s to the links, # CPU s'],
  structure: [
    'production code # lines in # files',
    'GET of a room status # files',
    'chat message # files',
    'finished job to its webhook # files',
  ],
  sync: ['all: beeps come # to # ms after their flashes, median # ms'],
  timing: [
    'GET /api/v2/integration/transcripts/{transcript_id} # / # µs ratio # p #',
    'POST /api/v1/integration/auth/token # / # µs ratio # p #',
    '# comparisons, # different',
  ],
  transcription: ['| 1 | # ms | # ms | # % | # | # MB |'],
  webhooks: [
    'Lectern, all answer # (#–#) # (#–#) #',
    'Lectern, 10 hang # (#–#) # (#–#) #',
    'undici without a queue, all answer # (#–#) # (#–#) #',
    '10 hang, on # posts median # ms p99 # ms',
  ],
  whip: ['WHIP: # ms of CPU, # ms for a publication and its end'],
}

const here = fileURLToPath(new URL('.', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

it('names the results of every benchmark', () => {
  expect(Object.keys(results)).toEqual(Object.keys(scripts))
})

it.each(Object.entries(results))('%s starts and prints its results', async (name, lines) => {
  const output = await run(`${scripts[name]} --smoke`)
  expect(output).not.toMatch(/\b(NaN|Infinity|undefined)\b/)
  for (const line of lines) expect(output).toMatch(patternOf(line))
})

/** Runs a script as npm does, in a folder for its files. Returns what it prints, and fails unless it exits with 0. */
async function run(script: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-smoke-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [program = '', ...args] = script.replace(/^node /, '').split(' ')
  const child = spawn(process.execPath, [join(here, program), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [code, signal] = await once(child, 'exit')
  const [output, errors] = await printed
  expect({ code, signal }, `${output}\n${errors}`).toEqual({ code: 0, signal: null })
  return output
}

const patternOf = (line: string) =>
  new RegExp(
    line
      .replaceAll(/[()|.+]/g, '\\$&')
      .replaceAll('#', '-?\\d+(\\.\\d+)?')
      .replaceAll(' ', '\\s+'),
  )
