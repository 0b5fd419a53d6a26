import { ApiError } from '@keyturn/contract/shared/error.ts'
import { Box, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { downloadFile } from '../download-file.ts'
import { ErrorNotice } from './error-notice.tsx'
import { WorkButton } from './work-button.tsx'

type DownloadButtonProps = Pick<ButtonProps, 'size' | 'variant'> & {
  /** A plain link would fail when the session has to be renewed. */
  fetchFile: () => Promise<Blob>
  name: string
  working: string
  failed: string
  label?: string
  children: ReactNode
}

/** Shows an error below the button, which can be clicked again. */
export function DownloadButton(props: DownloadButtonProps) {
  const { fetchFile, name, working, failed, label, children, size, variant = 'default' } = props
  const [trouble, setTrouble] = useState<string | null>(null)
  const download = async () => {
    setTrouble(null)
    try {
      downloadFile(await fetchFile(), name)
    } catch (fault) {
      setTrouble(fault instanceof ApiError ? fault.message : failed)
    }
  }
  return (
    <>
      <WorkButton variant={variant} size={size} aria-label={label} working={working} onClick={download}>
        {children}
      </WorkButton>
      {trouble && (
        <Box w="100%">
          <ErrorNotice>{trouble}</ErrorNotice>
        </Box>
      )}
    </>
  )
}
