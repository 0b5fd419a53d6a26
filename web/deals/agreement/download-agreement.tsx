import { termSheetTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import { agreementPdf } from '@keyturn/contract/deals/calls.ts'
import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { Box } from '@mantine/core'
import { useState } from 'react'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { keepFile } from '../../ui/keep-file.ts'
import { sendFile } from '../../wire/send.ts'

/** Fetched like any call, because a plain link would fail once the session has to be renewed. */
export function DownloadAgreement({ pkgId, vin }: { pkgId: string; vin: string }) {
  const [trouble, setTrouble] = useState<string | null>(null)
  const download = async () => {
    setTrouble(null)
    try {
      keepFile(await sendFile(agreementPdf, { params: { pkgId } }), texts.fileName(vin))
    } catch (fault) {
      setTrouble(fault instanceof Refusal ? fault.message : texts.downloadFailed)
    }
  }
  return (
    <>
      <WorkButton variant="default" working={texts.downloading} onClick={download}>
        {texts.download}
      </WorkButton>
      {trouble && (
        <Box w="100%">
          <Trouble>{trouble}</Trouble>
        </Box>
      )}
    </>
  )
}
