import { CAPABILITIES, type UserKind } from '@lectern/protocol'
import type { Operator } from '@lectern/server/operator'
import { type Command, Option } from 'commander'
import { addCommand, type Common, withOperator } from '../command.ts'
import { print, table } from '../output.ts'
import { readPassword } from '../password.ts'

type User = Awaited<ReturnType<Operator['users']['find']>>

interface Settings extends Common {
  name?: string
  password?: string
  capability?: string[]
}

/** Kinds that are made by hand; guests come by themselves. */
const KINDS = ['ordinary', 'technical', 'worker'] satisfies UserKind[]

const passwordHelp = '8 to 1024 characters; "-" reads it from standard input'
const capabilityHelp = `what the user may do: ${CAPABILITIES.join(', ')}`

export function addUser(lectern: Command) {
  const user = lectern.command('user').description('accounts of people, partners and workers')

  addCommand(user, 'add <login>', 'make an account; without --password, one is made and printed')
    .option('--name <name>', 'display name (default: the login)')
    .option('--password <password>', passwordHelp)
    .addOption(new Option('--kind <kind>').choices(KINDS).default('ordinary'))
    .option('--capability <capability...>', capabilityHelp)
    .action(add)

  const replaced = new Option('--capability <capability...>', `${capabilityHelp}; replaces the present ones`)
  addCommand(user, 'set <login>', 'change an account; a new password ends all its sign-ins')
    .option('--name <name>', 'display name')
    .option('--password <password>', passwordHelp)
    .addOption(replaced.conflicts('capabilities'))
    .option('--no-capabilities', 'take all capabilities away')
    .action(set)

  addCommand(user, 'list', 'show all accounts').action(list)
  addCommand(user, 'remove <login>', 'delete an account; its login stays taken').action(remove)
}

async function add(login: string, options: Settings & { kind: UserKind }) {
  const { name, kind, capability: capabilities } = options
  const password = await readPassword(options.password)
  const made = await withOperator(options, ({ users }) =>
    users.add(login, { name, kind, capabilities, password }),
  )
  const { id, login: normal } = made.user
  const shownOnce = made.password === undefined ? {} : { password: made.password }
  const lines = [`User ${normal} is made, with id ${id}.`]
  if (made.password !== undefined) lines.push(`Password (shown only now): ${made.password}`)
  print(options, { user_id: id, login: normal, ...shownOnce }, lines.join('\n'))
}

async function set(login: string, options: Settings & { capabilities: boolean }) {
  const { name, capability, capabilities } = options
  const password = await readPassword(options.password)
  const user = await withOperator(options, ({ users }) =>
    users.set(login, { name, password, capabilities: capabilities ? capability : [] }),
  )
  print(options, present(user), `User ${user.login} is changed.`)
}

async function list(options: Common) {
  const users = await withOperator(options, operator => operator.users.list())
  const views = users.filter(({ deletedAt }) => deletedAt === null).map(present)
  const rows = views.map(user => [
    String(user.user_id),
    user.login,
    user.kind,
    user.display_name,
    user.capabilities.join(' '),
  ])
  print(options, { users: views }, table(['id', 'login', 'kind', 'name', 'capabilities'], rows))
}

async function remove(login: string, options: Common) {
  const user = await withOperator(options, ({ users }) => users.remove(login))
  print(options, present(user), `User ${user.login} is removed.`)
}

/** What may be shown of a user: never the hash of the password. */
const present = ({ id, login, displayName, kind, capabilities }: User) => ({
  user_id: id,
  login,
  display_name: displayName,
  kind,
  capabilities,
})
