import { termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import { agreementPdf } from '@keyturn/contract/deals/calls.ts'
import { DownloadButton } from '../../ui/feedback/download-button.tsx'
import { sendFile } from '../../wire/send.ts'

export const DownloadAgreement = ({ pkgId, vin }: { pkgId: string; vin: string }) => (
  <DownloadButton
    fetchFile={() => sendFile(agreementPdf, { params: { pkgId } })}
    name={texts.fileName(vin)}
    working={texts.downloading}
    failed={texts.downloadFailed}
  >
    {texts.download}
  </DownloadButton>
)
