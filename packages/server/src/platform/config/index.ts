import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileProblem } from '../file-problem.ts'
import { checkCluster, defaultServerName } from './cluster.ts'
import { checkConverter } from './converter.ts'
import { locateStores } from './database.ts'
import { ConfigError, type IniEntry, parseIni, quotable } from './ini.ts'
import { checkAcceptedSecrets } from './jwt-secrets.ts'
import { keys } from './keys.ts'
import { checkMail } from './mail.ts'
import { checkMediaNode } from './media-node.ts'
import { checkPush } from './push.ts'
import { checkSendfile } from './sendfile.ts'
import { s3Settings } from './storage.ts'
import type { Key } from './values.ts'

export { ConfigError } from './ini.ts'

type Keys = typeof keys
type Value<K> = K extends Key<infer T> ? T : never

/** The settings with the names of the file: `config.Server.Port`. */
export type Config = { readonly [S in keyof Keys]: { readonly [K in keyof Keys[S]]: Value<Keys[S][K]> } }

/** The program that is configured: a media node needs no database and no store of files. */
export type Program = 'server' | 'media-node'

type Environment = Record<string, string | undefined>

/** Short names in addition to SVC_<SECTION>_<KEY> (docs/configuration.md). */
const CONTRACT_NAMES: Record<string, [section: string, key: string]> = {
  SVC_INTEGRATION_DB: ['Db', 'IntegrationDb'],
  SVC_SERVER_URL: ['Integration', 'PublicUrl'],
}

const upperSnake = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()

/** The environment variable of a key; `SVC_SERVER_JWT_SECRET` for [Server] JwtSecret. */
export const variableName = (section: string, key: string) => `SVC_${upperSnake(section)}_${upperSnake(key)}`

/**
 * Reads the given file, otherwise the one in SVC_CONFIG, otherwise `lectern.ini` if it exists. Environment variables
 * override the file. Throws a ConfigError, whose one-line message names the line or the variable.
 */
export function loadConfig(
  file?: string,
  env: Environment = process.env,
  program: Program = 'server',
): Config {
  const named = nameOf(file, env)
  const path = resolve(named)
  const entries = findConfigFile(file, env) === null ? [] : parseIni(read(path), named)
  return parseConfig(entries, env, dirname(path), named, program)
}

const nameOf = (file: string | undefined, env: Environment) => file ?? (env.SVC_CONFIG || 'lectern.ini')

/** The file that `loadConfig` reads; null if there are only environment variables. */
export function findConfigFile(file?: string, env: Environment = process.env): string | null {
  const path = resolve(nameOf(file, env))
  return file !== undefined || env.SVC_CONFIG || existsSync(path) ? path : null
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${path}: ${fileProblem(error) ?? (error as Error).message}`)
  }
}

function parseConfig(
  entries: IniEntry[],
  env: Environment,
  base: string,
  file: string,
  program: Program,
): Config {
  const settings: Record<string, Record<string, unknown>> = {}
  for (const [section, sectionKeys] of Object.entries(keys)) {
    settings[section] = Object.fromEntries(
      Object.entries(sectionKeys).map(([name, key]) => [name, key.fallback]),
    )
  }
  const apply = (section: string, name: string, value: string, where: string) => {
    const key = findKey(section, name, where)
    if (value === '') return // an empty value means the default
    try {
      ;(settings[section] as Record<string, unknown>)[name] = key.parse(value)
    } catch (error) {
      throw new ConfigError(`${where}: [${section}] ${name} must be ${(error as Error).message}`)
    }
  }
  for (const { section, key, value, line } of entries) apply(section, key, value, `${file}:${line}`)
  for (const [variable, section, key] of variables(env)) apply(section, key, env[variable] ?? '', variable)
  return complete(settings as unknown as Config, base, program)
}

/** The longest name counts: [MediaNode], not [Media]. */
const sectionOf = (variable: string): string | undefined =>
  Object.keys(keys)
    .filter(name => variable.startsWith(`SVC_${upperSnake(name)}_`))
    .sort((a, b) => b.length - a.length)[0]

/** All SVC_ variables of known sections, sorted by name. An unknown key is an error. */
function* variables(env: Environment): Generator<[variable: string, section: string, key: string]> {
  for (const variable of Object.keys(env)
    .filter(name => name.startsWith('SVC_'))
    .sort()) {
    const contractName = CONTRACT_NAMES[variable]
    if (contractName) yield [variable, ...contractName]
    else if (variable !== 'SVC_CONFIG') {
      const section = sectionOf(variable)
      if (section === undefined) continue // may belong to another program: the prefix is generic
      const names = Object.keys(keys[section as keyof Keys])
      const key = names.find(name => variableName(section, name) === variable)
      if (key === undefined)
        throw new ConfigError(`${variable}: unknown; [${section}] has ${names.join(', ')}`)
      yield [variable, section, key]
    }
  }
}

function findKey(section: string, name: string, where: string): Key<unknown> {
  const sections = keys as Record<string, Record<string, Key<unknown>>>
  const sectionKeys = Object.hasOwn(sections, section) ? sections[section] : undefined
  if (!sectionKeys)
    throw new ConfigError(`${where}: unknown section [${section}]; known: ${Object.keys(keys).join(', ')}`)
  const key = Object.hasOwn(sectionKeys, name) ? sectionKeys[name] : undefined
  if (key) return key
  const others = Object.keys(sections).filter(other => Object.hasOwn(sections[other] ?? {}, name))
  const known =
    others.length > 0
      ? `it belongs in ${others.map(other => `[${other}]`).join(' or ')}`
      : `[${section}] has ${Object.keys(sectionKeys).join(', ')}`
  throw new ConfigError(
    `${where}: unknown key ${quotable(name) ?? '(not shown, as it may be a secret)'}; ${known}`,
  )
}

function checkOidc({ Oidc }: Config): void {
  if (Oidc.Issuer === '') {
    if (!Oidc.PasswordSignIn) throw new ConfigError('[Oidc] PasswordSignIn = 0 needs an Issuer')
    return
  }
  if (Oidc.ClientId === '') throw new ConfigError('[Oidc] Issuer and ClientId go together: set both or none')
  if (!Oidc.AllowInsecureIssuer && !Oidc.Issuer.startsWith('https:'))
    throw new ConfigError(
      '[Oidc] Issuer must use https; AllowInsecureIssuer = 1 permits http for development',
    )
}

function checkLti({ Lti, Integration }: Config): void {
  if (Lti.Enabled && !(Integration.Enabled && Integration.PublicUrl))
    throw new ConfigError('[Lti] Enabled = 1 needs [Integration] Enabled = 1 and PublicUrl')
}

/** Derives defaults from other keys, and makes paths absolute. */
function complete(config: Config, base: string, program: Program): Config {
  const { Server, Db, Transcriber, Storage } = config
  if ((Server.TlsCert === '') !== (Server.TlsKey === ''))
    throw new ConfigError('[Server] TlsCert and TlsKey go together: set both or none')
  checkAcceptedSecrets(Server)
  checkPush(config.Push)
  checkOidc(config)
  checkMail(config.Mail)
  checkLti(config)
  checkSendfile(config)
  checkConverter(config)
  if (config.Turn.MinPort > config.Turn.MaxPort)
    throw new ConfigError('[Turn] MinPort must not be greater than MaxPort')
  if (program === 'media-node') checkMediaNode(config)
  else checkCluster(config.Cluster, { Server, dbUrl: Db.Url, storageUrl: Storage.Url })
  const isBucket = s3Settings(Storage) !== null
  const dataDir = resolve(base, Server.DataDir)
  const path = (value: string) => value && resolve(base, value)
  return {
    ...config,
    Server: { ...Server, DataDir: dataDir, TlsCert: path(Server.TlsCert), TlsKey: path(Server.TlsKey) },
    Db: locateStores(Db, path, name => resolve(dataDir, name)),
    Transcriber: { ...Transcriber, ModelDir: path(Transcriber.ModelDir) },
    Cluster: {
      ...config.Cluster,
      Name: config.Cluster.Name || defaultServerName(),
      NatsCa: path(config.Cluster.NatsCa),
      AdvertiseCa: path(config.Cluster.AdvertiseCa),
    },
    Storage: { ...Storage, Url: isBucket ? Storage.Url : path(Storage.Url) || resolve(dataDir, 'blobs') },
  }
}
