import type { ChatFile } from '@lectern/protocol/control'
import type { ChatFiles, MessageKey } from '../ports.ts'

/** Uploaded files, by their ids. */
export class FakeChatFiles implements ChatFiles {
  readonly uploaded = new Map<string, ChatFile>()
  readonly #claimed = new Map<string, string>()

  upload(file_id: string): ChatFile {
    const file = { file_id, name: `${file_id}.png`, content_type: 'image/png', size: 3 }
    this.uploaded.set(file_id, file)
    return file
  }

  async claim(fileId: string, message: MessageKey): Promise<ChatFile | null> {
    const key = JSON.stringify([message.chatId, message.userId, message.commandId])
    const claimed = this.#claimed.get(fileId) ?? key
    this.#claimed.set(fileId, claimed)
    return claimed === key ? (this.uploaded.get(fileId) ?? null) : null
  }

  async remove(fileId: string): Promise<void> {
    this.uploaded.delete(fileId)
  }
}
