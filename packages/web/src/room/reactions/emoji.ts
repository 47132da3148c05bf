import type { Reaction } from '@lectern/protocol/control/client'

/** How each reaction is drawn. Its name is in `texts`. */
export const EMOJI: Record<Reaction, string> = {
  thumbs_up: '👍',
  clap: '👏',
  heart: '❤️',
  laugh: '😂',
  party: '🎉',
  surprise: '😮',
  thinking: '🤔',
  wave: '👋',
}
