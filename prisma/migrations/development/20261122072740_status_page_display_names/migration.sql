-- AlterTable
ALTER TABLE "status_page_monitors" ADD COLUMN     "display_name" TEXT;
