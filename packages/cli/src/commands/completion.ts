import type { Command } from 'commander'

export function addCompletion(lectern: Command) {
  lectern
    .command('completion')
    .description('print a script with which bash completes commands and options')
    .action(() => {
      process.stdout.write(completionScript(lectern))
    })
}

/** Yields what can follow the words of a command: its subcommands and options. */
function* entriesOf(command: Command, path: string): Generator<[path: string, words: string[]]> {
  const options = command.options.flatMap(({ long }) => long ?? [])
  yield [path, [...command.commands.map(each => each.name()), ...options, '--help']]
  for (const each of command.commands) yield* entriesOf(each, `${path} ${each.name()}`)
}

function completionScript(lectern: Command): string {
  const cases = [...entriesOf(lectern, 'lectern')].map(
    ([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`,
  )
  return `# bash completion of lectern
_lectern() {
  local path=lectern words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    path="$path $word"
  done
  case $path in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _lectern lectern
`
}
