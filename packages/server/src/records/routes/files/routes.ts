import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ConferenceFilesParams,
  ConvertedPage,
  DocumentPageParams,
  Done,
  ensure,
  FileListResponse,
  FileParams,
  FileResponse,
  PagePictureParams,
  PageTextResponse,
  type PageWidth,
  parseJson,
} from '@lectern/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../../http/authentication.ts'
import { shape } from '../../../platform/shape.ts'
import type { ConferenceFiles } from '../../files/conference-files.ts'
import type { BlobStore, PagePart } from '../../ports.ts'
import { readAll } from '../../read-all.ts'
import { download, fileResponse } from '../blobs/file-operations.ts'
import type { SendBlob } from '../blobs/send.ts'
import { contentHeaders, pictureHeaders } from './headers.ts'
import { presentDocument, presentFile } from './present.ts'

interface FileRoutesOptions {
  auth: Auth
  files: ConferenceFiles
  blobs: BlobStore
  sendBlob: SendBlob
}

interface ContentRequest {
  Params: { file_id: string }
}

interface PictureRequest {
  Params: { file_id: string; page_number: string; width: PageWidth }
}

const readPage = shape('page', ConvertedPage)

/** Files that participants uploaded (docs/slides.md). */
export const fileRoutes =
  ({ auth, files, blobs, sendBlob }: FileRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.user }
    const tag = 'Files'
    const findBlob = async (id: string | null) => {
      const blob = id === null ? null : await blobs.find(id)
      ensure(blob, 'blob_not_found')
      return blob
    }
    const findPart = async (request: FastifyRequest, fileId: string, page: string, part: PagePart) =>
      findBlob(await files.findPart(auth.user.callerOf(request), fileId, Number(page), part))

    app.get(
      '/conferences/:conference_tag/files',
      {
        config,
        schema: {
          operationId: 'listConferenceFiles',
          tag,
          summary: 'List the files of a conference',
          description: 'For its owner, and for who is inside. Pages of documents are in each file.',
          errors: ['permission_denied'],
          params: ConferenceFilesParams,
          response: { 200: FileListResponse },
        },
      },
      async request => {
        const found = await files.list(auth.user.callerOf(request), request.params.conference_tag)
        return { result: 200 as const, files: found.map(presentFile) }
      },
    )

    app.get(
      '/files/:file_id',
      {
        config,
        schema: {
          operationId: 'getConferenceFile',
          tag,
          summary: 'Get a file of a conference, with its pages',
          description: 'For who is or was in its session. Pages of a document appear while it is converted.',
          errors: ['blob_not_found'],
          params: FileParams,
          response: { 200: FileResponse },
        },
      },
      async request =>
        presentDocument(await files.findDocument(auth.user.callerOf(request), request.params.file_id)),
    )

    app.delete(
      '/files/:file_id',
      {
        config,
        schema: {
          operationId: 'deleteConferenceFile',
          tag,
          summary: 'Delete a file of a conference',
          description:
            'By who uploaded it, also to cancel the upload; by moderators, and by the owner of the conference.',
          errors: ['blob_not_found', 'permission_denied'],
          params: FileParams,
          response: { 200: Done },
        },
      },
      async request => {
        await files.removeBy(auth.user.callerOf(request), request.params.file_id)
        return { result: 200 as const }
      },
    )

    app.get<ContentRequest>(
      '/files/:file_id/content',
      {
        config,
        schema: {
          ...download,
          operationId: 'downloadConferenceFile',
          tag,
          summary: 'Download a file of a conference',
          description:
            'As it was uploaded. Images and PDF may be shown by a browser, all else is downloaded.',
          errors: ['blob_not_found', 'precondition_failed', 'range_not_satisfiable'],
          params: FileParams,
          response: fileResponse,
        },
        exposeHeadRoute: false,
      },
      async (request: FastifyRequest<ContentRequest>, reply: FastifyReply) => {
        const file = await files.find(auth.user.callerOf(request), request.params.file_id)
        return sendBlob(request, reply, await findBlob(await files.contentOf(file)), contentHeaders(file))
      },
    )

    app.get<PictureRequest>(
      '/files/:file_id/pages/:page_number/:width',
      {
        config,
        schema: {
          ...download,
          operationId: 'getPagePicture',
          tag,
          summary: 'Get the picture of a page',
          description: 'A PNG or JPEG of at most 1 MB, at most that many pixels wide.',
          example: { path: { page_number: '1', width: '960' } },
          errors: ['blob_not_found', 'precondition_failed', 'range_not_satisfiable'],
          params: PagePictureParams,
          response: fileResponse,
        },
        exposeHeadRoute: false,
      },
      async (request: FastifyRequest<PictureRequest>, reply: FastifyReply) => {
        const { file_id, page_number, width } = request.params
        const blob = await findPart(request, file_id, page_number, width)
        return sendBlob(request, reply, blob, pictureHeaders(page_number, width, blob))
      },
    )

    app.get(
      '/files/:file_id/pages/:page_number/text',
      {
        config,
        schema: {
          operationId: 'getPageText',
          tag,
          summary: 'Get the text of a page',
          description: 'Its lines and where they are, for screen readers and search.',
          example: { path: { page_number: '1' } },
          errors: ['blob_not_found'],
          params: DocumentPageParams,
          response: { 200: PageTextResponse },
        },
      },
      async request => {
        const { file_id, page_number } = request.params
        const blob = await findPart(request, file_id, page_number, 'text')
        const { lines } = readPage(parseJson((await readAll(await blobs.read(blob))).toString()))
        return { result: 200 as const, lines }
      },
    )
  }
