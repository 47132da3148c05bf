import { Observable } from '@lectern/common'
import type { ChatFile } from '@lectern/protocol/control/client'
import { randomId } from '../../random-id.ts'
import { type FileAccess, removeFile } from '../../uploads/files.ts'
import { mayUploadAgain, upload } from '../../uploads/upload.ts'

/** A file that is added to the next message. */
export interface Attachment {
  key: string
  name: string
  size: number
  state:
    | { is: 'uploading'; share: number }
    | { is: 'failed'; error: unknown; again: (() => void) | null }
    | { is: 'ready'; file: ChatFile }
}

/** The files of the next message of a chat. They outlive its panel. */
export class Attachments extends Observable<readonly Attachment[]> {
  readonly #access: FileAccess
  readonly #cancels = new Map<string, AbortController>()

  constructor(access: FileAccess) {
    super([])
    this.#access = access
  }

  readonly add = (files: Iterable<File>): void => {
    for (const file of files) {
      const key = randomId()
      const attachment: Attachment = {
        ...{ key, name: file.name, size: file.size },
        state: { is: 'uploading', share: 0 },
      }
      this.set([...this.get(), attachment])
      void this.#upload(key, file)
    }
  }

  /** Also cancels its upload, or removes what was uploaded: others in the chat could read it. */
  readonly remove = (key: string): void => {
    const removed = this.get().find(each => each.key === key)
    if (removed?.state.is === 'ready') void removeFile(this.#access, removed.state.file.file_id)
    this.#cancels.get(key)?.abort()
    this.#cancels.delete(key)
    this.set(this.get().filter(each => each.key !== key))
  }

  /** The files that are uploaded, for a message that is sent now; failed ones stay. */
  readonly take = (): ChatFile[] => {
    const ready = this.get().flatMap(({ state }) => (state.is === 'ready' ? [state.file] : []))
    this.set(this.get().filter(({ state }) => state.is !== 'ready'))
    return ready
  }

  async #upload(key: string, file: File): Promise<void> {
    const cancel = new AbortController()
    const { signal } = cancel
    this.#cancels.set(key, cancel)
    const become = (state: Attachment['state']) => {
      if (!signal.aborted) this.set(this.get().map(each => (each.key === key ? { ...each, state } : each)))
    }
    try {
      const { file_id, name, content_type, size } = await upload({
        access: this.#access,
        purpose: 'chat_file',
        file,
        onProgress: share => become({ is: 'uploading', share }),
        signal,
      })
      if (signal.aborted) void removeFile(this.#access, file_id)
      become({ is: 'ready', file: { file_id, name, content_type, size } })
    } catch (error) {
      const again = () => {
        become({ is: 'uploading', share: 0 })
        void this.#upload(key, file)
      }
      become({ is: 'failed', error, again: mayUploadAgain(error) ? again : null })
    } finally {
      this.#cancels.delete(key)
    }
  }
}
