import type { RandomAccess } from '@lectern/common/zip'
import type { FilePurpose } from '@lectern/protocol'
import { contentTypeOf, HEAD_BYTES } from './content-type.ts'
import { mayBeOffice, officeTypeOf } from './office-type.ts'

/** The type of a file by its content; null: of no kind that is accepted. In chats office documents are archives. */
export async function typeOf(file: RandomAccess, purpose: FilePurpose): Promise<string | null> {
  const head = await file.read(0, HEAD_BYTES)
  return purpose === 'slides' && mayBeOffice(head) ? officeTypeOf(file) : contentTypeOf(head)
}
