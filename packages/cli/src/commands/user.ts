import { readFileSync } from 'node:fs'
import { buffer as readBytes } from 'node:stream/consumers'
import { CAPABILITIES, type UserKind } from '@lectern/protocol'
import { fileProblem, type Operator } from '@lectern/server/operator'
import { type Command, Option } from 'commander'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { CliError } from '../errors.ts'
import { print, table } from '../output.ts'
import { readPassword } from '../password.ts'

type Imported = Awaited<ReturnType<Operator['users']['importPeople']>>[number]
type User = Awaited<ReturnType<Operator['users']['find']>>

interface Settings extends CommonOptions {
  name?: string
  password?: string
  capability?: string[]
  mail?: string
  email?: string
  disable?: true
  enable?: true
}

/** Kinds that an operator can create; guests are created on demand. */
const KINDS = ['ordinary', 'technical', 'worker'] satisfies UserKind[]

const passwordHelp = '8 to 1024 characters; "-" reads it from standard input'
const emailHelp = 'where mails to the person are sent, such as links to reset the password'
const capabilityHelp = `capabilities: ${CAPABILITIES.join(', ')}`

export function addUser(lectern: Command) {
  const user = lectern.command('user').description('manage accounts of people, partners and workers')

  addCommand(user, 'add <login>', 'create an account; without --password, generates and prints a password')
    .option('--name <name>', 'display name (default: the login)')
    .option('--password <password>', passwordHelp)
    .option('--email <address>', emailHelp)
    .addOption(new Option('--kind <kind>').choices(KINDS).default('ordinary'))
    .option('--capability <capability...>', capabilityHelp)
    .action(add)

  const replacement = new Option(
    '--capability <capability...>',
    `${capabilityHelp}; replaces the current ones`,
  )
  addCommand(user, 'set <login>', 'change an account; a new password ends all its sessions')
    .option('--name <name>', 'display name')
    .option('--password <password>', passwordHelp)
    .option('--email <address>', `${emailHelp}; "" removes it`)
    .addOption(replacement.conflicts('capabilities'))
    .option('--no-capabilities', 'remove all capabilities')
    .addOption(new Option('--disable', 'end all sessions and refuse new ones').conflicts('enable'))
    .option('--enable', 'accept sign-ins again')
    .action(set)

  addCommand(
    user,
    'invite <login>',
    'print a link with which the person sets the password; creates the account if there is none',
  )
    .option('--name <name>', 'display name of a new account (default: the login)')
    .option('--capability <capability...>', capabilityHelp)
    .option(
      '--mail <address>',
      'send the link by mail instead of printing it, and store the address; needs [Mail]',
    )
    .action(invite)

  addCommand(
    user,
    'import <file>',
    'create accounts from a CSV file (login, name, email, capabilities), all or none; with [Mail], people with an email get their link by mail, the other links are printed; "-" reads standard input',
  )
    .option('--dry-run', 'check the file and change nothing')
    .action(importFile)

  addCommand(user, 'list', 'list all accounts').action(list)
  addCommand(user, 'remove <login>', 'delete an account; its login cannot be used again').action(remove)
}

async function add(login: string, options: Settings & { kind: UserKind }) {
  const { name, kind, email, capability: capabilities } = options
  const password = await readPassword(options.password)
  const created = await withOperator(options, ({ users }) =>
    users.add(login, { name, kind, email, capabilities, password }),
  )
  const { id, login: normal } = created.user
  const shownOnce = created.password === undefined ? {} : { password: created.password }
  const lines = [`Created user ${normal} with id ${id}.`]
  if (created.password !== undefined) lines.push(`Password (not shown again): ${created.password}`)
  print(options, { user_id: id, login: normal, ...shownOnce }, lines.join('\n'))
}

async function invite(login: string, options: Settings) {
  const { name, capability: capabilities } = options
  const { user, isNew, link, expiresAt, failure } = await withOperator(options, async operator => {
    // Before the account exists and an earlier link ends: without [Mail] there is nobody to bring the link.
    const mailInvitation = options.mail === undefined ? null : operator.mailInvitation
    const invited = await operator.users.invite(login, { name, capabilities, email: options.mail })
    const link = operator.invitationLink(invited.token)
    const failure = await mailInvitation?.(options.mail ?? '', { ...invited, link }).catch(toError)
    return { ...invited, link, failure }
  })
  const expires = new Date(expiresAt * 1000).toISOString()
  const subject = isNew
    ? `Created user ${user.login} with id ${user.id}.`
    : `Invited user ${user.login} again.`
  const about = { user_id: user.id, login: user.login }
  if (options.mail !== undefined && !failure)
    return print(
      options,
      { ...about, mailed_to: options.mail, expires_at: expires },
      `${subject}\nThe link was sent to ${options.mail}.`,
    )
  print(
    options,
    { ...about, link, expires_at: expires },
    `${subject}\nLink for one use until ${expires}, not shown again: ${link}`,
  )
  // The account exists, and an earlier link has ended: the printed one is all that is left.
  if (failure)
    throw new CliError(
      `No mail to ${options.mail}: ${failure.message}. Give the link to the person, or repeat the command.`,
    )
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

async function importFile(file: string, options: CommonOptions & { dryRun?: true }) {
  const content = await readTextOf(file)
  const { faults, people } = await withOperator(options, operator => operator.users.checkImport(content))
  for (const { line, says } of faults) process.stderr.write(`${file}:${line}: ${says}\n`)
  if (faults.length > 0) throw new CliError('Nothing was imported.')
  if (options.dryRun) {
    const users = people.map(({ login, name }) => ({ login, display_name: name }))
    return print(options, { dry_run: true, users }, `Accounts that can be created: ${users.length}.`)
  }
  await withOperator(options, async (operator, config) => {
    const imported = await operator.users.importPeople(content)
    const list = importedList(options, imported)
    let canMail = config.Mail.Url !== ''
    for (const person of imported) {
      const link = operator.invitationLink(person.token)
      const mail = canMail ? await mailTo(operator, person, link) : null
      canMail &&= mail !== 'unreachable'
      list.add({
        login: person.login,
        ...(mail === 'sent' ? { mailed_to: person.email ?? '' } : { link }),
        expires_at: new Date(person.expiresAt * 1000).toISOString(),
      })
    }
    list.end()
  })
}

/**
 * Prints each person at once: nothing else has the link, and mails take time. With --json, all together are one object,
 * `{"users": [...]}`.
 */
function importedList({ json }: CommonOptions, people: readonly Imported[]) {
  const write = (text: string) => process.stdout.write(text)
  const width = Math.max('login'.length, ...people.map(({ login }) => login.length))
  let count = 0
  write(
    json ? '{"users":[' : `${'login'.padEnd(width)}  link for one use within seven days, not shown again\n`,
  )
  return {
    add: (user: { login: string; link?: string; mailed_to?: string; expires_at: string }) => {
      const { login, link, mailed_to } = user
      const separator = count++ > 0 ? ',' : ''
      write(
        json
          ? separator + JSON.stringify(user)
          : `${login.padEnd(width)}  ${link ?? `sent to ${mailed_to}`}\n`,
      )
    },
    end: () => write(json ? ']}\n' : `\nCreated ${count} accounts.\n`),
  }
}

/** Of one mail; after all other failures, each further one would wait as long in vain. */
const FAILURES_OF_A_MAIL = ['EENVELOPE', 'EMESSAGE']

/** Null: the person has no address. Unless it was sent, the link has to be printed. */
async function mailTo(
  operator: Operator,
  person: Imported,
  link: string,
): Promise<'sent' | 'refused' | 'unreachable' | null> {
  const { email, login, name: displayName, expiresAt } = person
  if (email === null) return null
  const user = { login, displayName, language: null }
  try {
    await operator.mailInvitation(email, { user, link, expiresAt })
    return 'sent'
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string }
    process.stderr.write(`No mail to ${email}: ${message}\n`)
    if (FAILURES_OF_A_MAIL.includes(code)) return 'refused'
    process.stderr.write('No further mails are tried: the links are printed.\n')
    return 'unreachable'
  }
}

/** Spreadsheets write other encodings, in which names would become unreadable. */
async function readTextOf(file: string): Promise<string> {
  const bytes = file === '-' ? await readBytes(process.stdin) : readFileOf(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CliError(`${file} is not in UTF-8: save it as "CSV UTF-8". Nothing was imported.`)
  }
}

function readFileOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new CliError(`${file}: ${fileProblem(error) ?? (error as Error).message}.`)
  }
}

async function set(login: string, options: Settings & { capabilities: boolean }) {
  const { name, capability, capabilities } = options
  const disabled = options.disable ? true : options.enable ? false : undefined
  const password = await readPassword(options.password)
  const user = await withOperator(options, ({ users }) =>
    users.set(login, {
      name,
      password,
      email: options.email,
      capabilities: capabilities ? capability : [],
      disabled,
    }),
  )
  print(options, present(user), `Updated user ${user.login}.`)
}

async function list(options: CommonOptions) {
  const users = await withOperator(options, operator => operator.users.list())
  const views = users.filter(({ deletedAt }) => deletedAt === null).map(present)
  const rows = views.map(user => [
    String(user.user_id),
    user.login,
    user.kind,
    user.disabled ? 'disabled' : 'active',
    user.display_name,
    user.capabilities.join(' '),
  ])
  print(options, { users: views }, table(['id', 'login', 'kind', 'state', 'name', 'capabilities'], rows))
}

async function remove(login: string, options: CommonOptions) {
  const user = await withOperator(options, ({ users }) => users.remove(login))
  print(options, present(user), `Deleted user ${user.login}.`)
}

/** The public fields of a user, without the hash of the password. */
const present = ({ id, login, displayName, kind, email, capabilities, disabledAt }: User) => ({
  user_id: id,
  login,
  display_name: displayName,
  kind,
  email,
  capabilities,
  disabled: disabledAt !== null,
})
