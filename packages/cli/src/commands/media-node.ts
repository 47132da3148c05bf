import { loadConfig } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { explainListening } from '../listening.ts'
import { takeReadiness } from '../ready.ts'
import { untilStopped } from '../stop.ts'
import { growYoungGeneration } from '../young-generation.ts'

export function addMediaNode(lectern: Command) {
  addCommand(
    lectern,
    'media-node',
    'run media workers for the servers of a cluster; prints one line of JSON when ready and logs to standard error',
  ).action(runMediaNode)
}

async function runMediaNode({ config: file }: CommonOptions) {
  const config = loadConfig(file, process.env, 'media-node')
  const reportReady = takeReadiness()
  const stopped = untilStopped() // before the start, so that a signal during it is not lost
  const { startMediaNode } = await import('@lectern/server/media-node')
  const node = await startMediaNode(config).catch(error => {
    throw explainListening(
      error,
      config.MediaNode,
      'MediaNode',
      'Stop that program or change [MediaNode] Port.',
    )
  })
  growYoungGeneration()
  reportReady(node.url)
  await stopped
  await node.close()
  process.exit(0)
}
