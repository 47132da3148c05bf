import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The default filter of Podman. */
const SECCOMP = '/usr/share/containers/seccomp.json'
/** What it permits, and Docker's forbids to containers without capabilities: namespaces and mounts. */
const NAMESPACES = [
  ...[
    'mount',
    'mount_setattr',
    'move_mount',
    'open_tree',
    'umount',
    'umount2',
    'pivot_root',
    'unshare',
    'setns',
  ],
  ...['fsconfig', 'fsmount', 'fsopen', 'fspick', 'clone', 'clone3', 'keyctl', 'add_key', 'request_key'],
]
/** Of clone: those of new namespaces. */
const CLONE_NEW_FLAGS = 0x7e020000
const isNeverPermitted = (name: string) => !name.startsWith('clone')
/** Libraries use another call then. */
const ENOSYS = 38

/** What an image says of the containers that run it. */
export interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  ExposedPorts: Record<string, object>
  Healthcheck: { Test: string[] }
}

interface Filter {
  names: string[]
  action: string
  args?: object[]
  errnoRet?: number
  includes?: { arches?: string[]; caps?: string[] }
  excludes?: { arches?: string[]; caps?: string[] }
}

interface Options {
  root: string
  /** Null: it has none. */
  volume: string | null
  env: Record<string, string>
  /** Replaces the value of the image. */
  command?: readonly string[]
  /** A filter of system calls in place of the usual one. */
  filter?: object
  /** Files of this machine that it sees, by their paths there. */
  files?: Record<string, string>
}

/** The configuration with which an OCI runtime runs an image, as compose.yaml and the Helm chart ask for. */
export function runtimeConfig(
  image: ImageConfig,
  { root, volume, env, command, filter = seccomp(), files = {} }: Options,
) {
  const config = runtimeDefaults()
  const [uid, gid] = image.User.split(':').map(Number)
  const [volumePath] = Object.keys(image.Volumes)
  const temporary = {
    destination: '/tmp',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', 'mode=1777'],
  }
  const bind = (destination: string | undefined, source: string, mode: 'ro' | 'rw') => ({
    ...{ destination, type: 'bind', source },
    options: ['rbind', mode],
  })
  const data = [
    ...(volume ? [bind(volumePath, volume, 'rw')] : []),
    ...Object.entries(files).map(([path, source]) => bind(path, source, 'ro')),
  ]
  return {
    ...config,
    root: { path: root, readonly: true },
    process: {
      ...config.process,
      terminal: false,
      user: { uid, gid },
      args: command ?? [...image.Entrypoint, ...image.Cmd],
      env: [...image.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: image.WorkingDir,
      capabilities: {},
      noNewPrivileges: true,
      rlimits: [],
    },
    mounts: [...config.mounts.filter(({ type }) => type !== 'cgroup'), temporary, ...data],
    linux: {
      ...config.linux,
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map(type => ({ type })),
      seccomp: filter,
    },
  }
}

/** With the paths of /proc and /sys that engines hide. */
function runtimeDefaults(): { process: object; linux: object; mounts: { type: string }[] } {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-oci-'))
  try {
    execFileSync('crun', ['spec'], { cwd: folder })
    return JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What Docker makes of its filter for a container without capabilities; where Podman's is stricter, that one. */
export function seccomp() {
  const { defaultAction, defaultErrnoRet, syscalls } = JSON.parse(readFileSync(SECCOMP, 'utf8'))
  const applies = ({ includes = {}, excludes = {} }: Filter) =>
    !includes.caps?.length &&
    (!includes.arches?.length || includes.arches.includes('amd64')) &&
    !excludes.arches?.includes('amd64')
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: ['SCMP_ARCH_X86_64'],
    syscalls: [
      ...(syscalls as Filter[]).filter(applies).map(({ names, action, args, errnoRet }) => ({
        names: names.filter(name => !NAMESPACES.includes(name)),
        ...{ action, args: args ?? [], errnoRet },
      })),
      {
        names: ['clone'],
        action: 'SCMP_ACT_ALLOW',
        args: [{ index: 0, value: CLONE_NEW_FLAGS, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
      },
      { names: NAMESPACES.filter(isNeverPermitted), action: 'SCMP_ACT_ERRNO', errnoRet: 1 },
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
    ],
  }
}
