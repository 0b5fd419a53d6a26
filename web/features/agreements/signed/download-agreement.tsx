import { readAgreementPdf } from '@keyturn/contract/agreements/endpoints.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { fetchDocument } from '../../../api/send.ts'
import { DownloadButton } from '../../../components/feedback/download-button.tsx'

type Signed = { pkgId: string; vin: string }

/** Downloads the agreement as it was emailed to both sides, or on A4 paper. */
export const DownloadAgreement = ({ pkgId, vin }: Signed) => (
  <>
    <DownloadButton
      fetchFile={() => fetchDocument(readAgreementPdf, { params: { pkgId } })}
      name={texts.fileName(vin)}
      working={texts.downloading}
      failed={texts.downloadFailed}
    >
      {texts.download}
    </DownloadButton>
    <DownloadButton
      variant="subtle"
      fetchFile={() => fetchDocument(readAgreementPdf, { params: { pkgId }, query: { size: 'A4' } })}
      name={texts.fileNameA4(vin)}
      label={texts.downloadA4Of}
      working={texts.downloading}
      failed={texts.downloadFailed}
    >
      {texts.downloadA4}
    </DownloadButton>
  </>
)
