import { termSheetTexts } from '@keyturn/contract/deals/agreement-texts.ts'
import { deskAgreement } from '@keyturn/contract/deals/dealers/dealer-desk.ts'
import { deskTexts as texts } from '@keyturn/contract/deals/dealers/dealer-desk-texts.ts'
import { paperwork } from '@keyturn/contract/deals/paperwork/calls.ts'
import { paperworkTexts } from '@keyturn/contract/deals/paperwork/paperwork-texts.ts'
import { papersOf } from '@keyturn/contract/deals/paperwork/rules.ts'
import { Group, Stack, Text } from '@mantine/core'
import { DownloadButton } from '../../ui/feedback/download-button.tsx'
import { Card } from '../../ui/frame/card.tsx'
import { sendFile } from '../../wire/send.ts'

type Deal = { pkgId: string; vin: string }

/** The signed agreement, and the drafts that the seller can print, too. */
export const DeskPapers = ({ pkgId, vin }: Deal) => (
  <Card title={texts.papers}>
    <Stack gap="md">
      <Paper
        name={texts.agreement}
        what={texts.agreementWhat}
        file={termSheetTexts.fileName(vin)}
        fetchFile={() => sendFile(deskAgreement, { params: { pkgId } })}
      />
      {papersOf.SELLER.map((kind) => (
        <Paper
          key={kind}
          name={`${paperworkTexts.kinds[kind].name} (${paperworkTexts.draft.toLowerCase()})`}
          what={paperworkTexts.kinds[kind].what}
          file={paperworkTexts.fileName(kind, vin)}
          fetchFile={() => sendFile(paperwork, { params: { pkgId, kind } })}
        />
      ))}
    </Stack>
  </Card>
)

type PaperProps = { name: string; what: string; file: string; fetchFile: () => Promise<Blob> }

const Paper = ({ name, what, file, fetchFile }: PaperProps) => (
  <Group justify="space-between" gap="sm">
    <div>
      <strong>{name}</strong>
      <Text c="dimmed">{what}</Text>
    </div>
    <DownloadButton
      fetchFile={fetchFile}
      name={file}
      label={paperworkTexts.downloadOf(name)}
      working={paperworkTexts.preparing}
      failed={paperworkTexts.failed}
    >
      {paperworkTexts.download}
    </DownloadButton>
  </Group>
)
