import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The default filter of Docker and Podman. */
const SECCOMP = '/usr/share/containers/seccomp.json'

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
  volume: string
  env: Record<string, string>
}

/** The configuration with which an OCI runtime runs an image, as compose.yaml and the Helm chart ask for. */
export function runtimeConfig(image: ImageConfig, { root, volume, env }: Options) {
  const config = runtimeDefaults()
  const [uid, gid] = image.User.split(':').map(Number)
  const [volumePath] = Object.keys(image.Volumes)
  const temporary = {
    destination: '/tmp',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', 'mode=1777'],
  }
  const data = { destination: volumePath, type: 'bind', source: volume, options: ['rbind', 'rw'] }
  return {
    ...config,
    root: { path: root, readonly: true },
    process: {
      ...config.process,
      terminal: false,
      user: { uid, gid },
      args: [...image.Entrypoint, ...image.Cmd],
      env: [...image.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: image.WorkingDir,
      capabilities: {},
      noNewPrivileges: true,
      rlimits: [],
    },
    mounts: [...config.mounts.filter(({ type }) => type !== 'cgroup'), temporary, data],
    linux: {
      ...config.linux,
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map(type => ({ type })),
      seccomp: seccomp(),
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

/** What engines make of their filter for a container without capabilities. */
function seccomp() {
  const { defaultAction, defaultErrnoRet, syscalls } = JSON.parse(readFileSync(SECCOMP, 'utf8'))
  const applies = ({ includes = {}, excludes = {} }: Filter) =>
    !includes.caps?.length &&
    (!includes.arches?.length || includes.arches.includes('amd64')) &&
    !excludes.arches?.includes('amd64')
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: ['SCMP_ARCH_X86_64'],
    syscalls: (syscalls as Filter[])
      .filter(applies)
      .map(({ names, action, args, errnoRet }) => ({ names, action, args: args ?? [], errnoRet })),
  }
}
