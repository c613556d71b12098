-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "after_id" TEXT;

-- CreateIndex
CREATE INDEX "deliveries_after_id_idx" ON "deliveries"("after_id");

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_after_id_fkey" FOREIGN KEY ("after_id") REFERENCES "deliveries"("id") ON DELETE SET NULL ON UPDATE CASCADE;
