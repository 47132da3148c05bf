import type { RoomRequest, RoomResponse } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addressOf, putRoom } from '../api.ts'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { CliError } from '../errors.ts'
import { print } from '../output.ts'

interface Options extends CommonOptions {
  title?: string
  startsAt?: string
  endsAt?: string
  teacher?: string
  student?: string
  teacherId?: string
  studentId?: string
  account?: string
  url?: string
}

export function addRoom(lectern: Command) {
  const room = lectern.command('room').description('manage hosted rooms through the partner API')

  addCommand(room, 'create <external-id>', 'create a room through the API of the running service')
    .option('--title <title>', 'title (default: the external id)')
    .option('--starts-at <time>', 'start time, e.g. 2026-09-01T10:00:00+03:00')
    .option('--ends-at <time>', 'end time')
    .option('--teacher <name>', "the teacher's display name")
    .option('--student <name>', "the student's display name")
    .option('--teacher-id <id>', "the partner's id of the teacher, who then keeps one account")
    .option('--student-id <id>', "the partner's id of the student, who then keeps one account")
    .option('--account <name>', 'service account to use (default: the only enabled one)')
    .option('--url <url>', 'address of the service (default: from the configuration)')
    .action(create)
}

async function create(externalId: string, options: Options) {
  const { url, token } = await withOperator(options, async (operator, config) => ({
    url: addressOf(config, options.url),
    token: await operator.serviceAccounts.token(options.account ?? (await onlyAccount(operator))),
  }))
  const room = await putRoom(url, token, externalId, request(options))
  print(options, room, describe(room))
}

async function onlyAccount({ serviceAccounts }: Operator): Promise<string> {
  const names = (await serviceAccounts.list()).filter(({ enabled }) => enabled).map(({ name }) => name)
  const [first, second] = names
  if (first === undefined)
    throw new CliError('There is no enabled service account; create one with "lectern service-account add".')
  if (second !== undefined)
    throw new CliError(`Specify the service account with --account: ${names.join(', ')}.`)
  return first
}

/** Only the given fields; the server applies the defaults. */
function request({ title, startsAt, endsAt, ...people }: Options): RoomRequest {
  return {
    title,
    starts_at: startsAt,
    ends_at: endsAt,
    teacher: { display_name: people.teacher, external_id: people.teacherId },
    student: { display_name: people.student, external_id: people.studentId },
  }
}

const describe = (room: RoomResponse) =>
  [
    `Room ${room.external_id} (${room.title}) is ${room.status}.`,
    'Teacher link:',
    room.teacher_join_url,
    'Student link:',
    room.student_join_url,
  ].join('\n')
