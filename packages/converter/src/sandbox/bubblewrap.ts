import { existsSync, lstatSync } from 'node:fs'

/** The folder of the program, in memory. */
const JOB = '/job'
const JOB_BYTES = 128 * 1024 ** 2
/** Links to /usr on today's systems, folders on others. */
const ROOT_FOLDERS = ['/bin', '/lib', '/lib64', '/sbin']
/** The parts of the configuration that programs read: fonts, where libraries are, and LibreOffice's own. */
const CONFIGURATION = [
  ...['/etc/fonts', '/etc/ld.so.cache', '/etc/alternatives', '/var/cache/fontconfig'],
  '/etc/libreoffice',
]

/** A service that may listen on port 443 passes that right on to its programs, and bubblewrap refuses to start with any. */
const WITHOUT_CAPABILITIES = ['setpriv', '--ambient-caps=-all', '--inh-caps=-all', '--']

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** Without /proc: where parts of it are masked, as in containers, the kernel allows no other one. */
const system = (): string[] => [
  ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
  ...['--setenv', 'PATH', '/usr/bin', '--setenv', 'LC_ALL', 'C.UTF-8', '--setenv', 'HOME', JOB],
  ...['--ro-bind', '/usr', '/usr'],
  ...ROOT_FOLDERS.filter(existsSync).flatMap(path =>
    isLink(path) ? ['--symlink', `usr${path}`, path] : ['--ro-bind', path, path],
  ),
  ...CONFIGURATION.filter(existsSync).flatMap(path => ['--ro-bind', path, path]),
  ...['--dev', '/dev', '--size', String(JOB_BYTES), '--tmpfs', JOB, '--size', '1048576', '--tmpfs', '/tmp'],
]

/** The beginning of a command that runs in a sandbox, and sees these files in its folder. */
export const bubblewrap = (files: Readonly<Record<string, string>>): string[] => [
  ...WITHOUT_CAPABILITIES,
  'bwrap',
  ...system(),
  ...Object.entries(files).flatMap(([name, path]) => ['--ro-bind', path, `${JOB}/${name}`]),
  ...['--chdir', JOB, '--'],
]
